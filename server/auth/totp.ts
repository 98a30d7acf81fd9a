import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds of one step of the clock: https://www.rfc-editor.org/rfc/rfc6238#section-4 */
const STEP = 30;
/** Number of 30-second steps by which the phone's clock may differ from the server's. */
const TOLERANCE = 1;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Makes a secret of 160 bits in Base32, which a person can type into an app. */
export function newSecret(): string {
  const bits = [...randomBytes(20)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replaceAll(/.{5}/g, (five) => LETTERS[Number.parseInt(five, 2)]!);
}

/**
 * Returns the address that authenticator apps read from a QR code. Digits, period and algorithm are omitted, because
 * they have default values and would make the QR code denser.
 */
export function otpauthAddress(secret: string, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}

export const stepAt = (milliseconds: number): number => Math.floor(milliseconds / 1000 / STEP);

/** Returns the code of one 30-second step: https://www.rfc-editor.org/rfc/rfc4226#section-5.3 */
export function codeOf(secret: string, step: number, digits = 6): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', readBase32(secret)).update(counter).digest();
  const number = hash.readUInt32BE(hash.at(-1)! & 0xf) & 0x7f_ff_ff_ff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/**
 * Returns the 30-second step to which a code belongs, or undefined if the code is wrong. Spaces are ignored, because
 * apps show them.
 */
export function findStep(code: string, secret: string, milliseconds: number): number | undefined {
  const typed = Buffer.from(code.replaceAll(/\s/g, ''));
  const now = stepAt(milliseconds);
  const steps = Array.from({ length: 2 * TOLERANCE + 1 }, (_, at) => now - TOLERANCE + at);
  return steps.findLast((step) => {
    const expected = Buffer.from(codeOf(secret, step));
    return typed.length === expected.length && timingSafeEqual(typed, expected);
  });
}

function readBase32(secret: string): Buffer {
  const bits = secret.replaceAll(/./g, (letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
