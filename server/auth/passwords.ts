import { randomBytes, randomInt, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

/** In a thread of Node's pool, so that nobody else waits for it. */
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const COST = { N: 2 ** 15, r: 8, p: 1 };
/** Node allows 32 MiB, which this cost exceeds by a little. */
const maxmem = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

export const PASSWORD_LENGTH = { least: 12, most: 200 };

export function isLongEnough(password: string): boolean {
  return password.length >= PASSWORD_LENGTH.least && password.length <= PASSWORD_LENGTH.most;
}

/** From here on a guesser needs more than 100 million tries (zxcvbn's scale goes to 4). */
const LEAST_SCORE = 3;

/** Opened with the first new password: its lists of words are 8 MB of memory. */
let estimator: Promise<ZxcvbnFactory> | undefined;

async function openEstimator(): Promise<ZxcvbnFactory> {
  const [zxcvbn, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new zxcvbn.ZxcvbnFactory({ dictionary, graphs });
}

/** Whether a password is a common one, a repetition or a sequence, or made of its owner's address. */
export async function isGuessable(password: string, email: string): Promise<boolean> {
  const { score } = (await (estimator ??= openEstimator())).check(password, [email, ...email.split('@')]);
  return score < LEAST_SCORE;
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return written(salt, await derive(typed(password), salt, KEY_BYTES, { ...COST, maxmem }));
}

/** The hash that an unknown name is checked against: it costs as much, and no password fits. */
export function hashOfNobody(): string {
  return written(randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));
}

export async function passwordFits(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem };
  const found = await derive(typed(password), Buffer.from(salt, 'base64url'), expected.length, cost);
  return timingSafeEqual(found, expected);
}

/** For a new account: read aloud or copied by hand, so without characters that look alike. */
export function firstPassword(): string {
  const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => characters[randomInt(characters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

function written(salt: Buffer, key: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** One keyboard writes an accent as one character, another as two. No password is longer than it may be. */
function typed(password: string): string {
  return password.slice(0, 2 * PASSWORD_LENGTH.most).normalize('NFKC');
}
