import { createHash, randomInt } from 'node:crypto';

export const RECOVERY_CODES = 10;
const LENGTH = 16;
/** Letters and digits that do not look alike. */
const CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

export const newCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join(''),
  );

/** Returns the hash of a typed code. A fast hash is enough, because a code has 79 random bits. */
export function hashCode(typed: string): string {
  const code = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return createHash('sha256').update(`recovery code ${code}`).digest('base64url');
}
