import { randomBytes, randomInt, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const COST = { N: 2 ** 15, r: 8, p: 1 };
/** Memory limit above Node's default of 32 MiB, because scrypt needs slightly more at this cost. */
const maxmem = 64 * 1024 * 1024;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

export const PASSWORD_LENGTH = { least: 12, most: 200 };

export function isLongEnough(password: string): boolean {
  return password.length >= PASSWORD_LENGTH.least && password.length <= PASSWORD_LENGTH.most;
}

/** Lowest accepted score of zxcvbn (0 to 4): guessing the password takes more than 100 million attempts. */
const LEAST_SCORE = 3;

/** Estimator of password strength, loaded on first use, because its word lists take 8 MB of memory. */
let estimator: Promise<ZxcvbnFactory> | undefined;

async function openEstimator(): Promise<ZxcvbnFactory> {
  const [zxcvbn, { dictionary, adjacencyGraphs: graphs }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ]);
  return new zxcvbn.ZxcvbnFactory({ dictionary, graphs });
}

export async function isGuessable(password: string, email: string): Promise<boolean> {
  const { score } = (await (estimator ??= openEstimator())).check(password, [email, ...email.split('@')]);
  return score < LEAST_SCORE;
}

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return encodeHash(salt, await derive(normalise(password), salt, KEY_BYTES, { ...COST, maxmem }));
}

/**
 * Returns a hash that fits no password. If an e-mail has no account, the typed password is checked against this hash,
 * so that the answer takes as long as for a real account.
 */
export function hashOfNobody(): string {
  return encodeHash(randomBytes(SALT_BYTES), randomBytes(KEY_BYTES));
}

export async function passwordFits(password: string, hash: string): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = hash.split('$');
  const expected = Buffer.from(key, 'base64url');
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem };
  const found = await derive(normalise(password), Buffer.from(salt, 'base64url'), expected.length, cost);
  return timingSafeEqual(found, expected);
}

/** Makes a first password without characters that look alike, because it is read aloud or copied by hand. */
export function firstPassword(): string {
  const characters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => characters[randomInt(characters.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

function encodeHash(salt: Buffer, key: Buffer): string {
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Normalises a typed password, because some keyboards write an accented letter as one character and others as two. */
function normalise(password: string): string {
  return password.slice(0, 2 * PASSWORD_LENGTH.most).normalize('NFKC');
}
