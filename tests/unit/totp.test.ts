import { expect, test } from 'vitest';
import { codeOf, findStep, newSecret, otpauthAddress, stepAt } from '../../server/auth/totp.ts';

/** `12345678901234567890` in Base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

// Rows for SHA-1 of the table in https://www.rfc-editor.org/rfc/rfc6238#appendix-B.
test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('the one-time code at second %i is the code that RFC 6238 prints', (second, code) => {
  expect(codeOf(SECRET, stepAt(second * 1000), 8)).toBe(code);
  expect(findStep(code.slice(2), SECRET, second * 1000)).toBe(Math.floor(second / 30));
});

test('a one-time code is accepted one time step early or late, but not two steps', () => {
  const secret = newSecret();
  const now = 1_764_000_000_000;
  const found = (steps: number) => findStep(codeOf(secret, stepAt(now) + steps), secret, now);
  expect([-2, -1, 0, 1, 2].map(found)).toEqual([undefined, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, undefined]);
  const code = codeOf(secret, stepAt(now));
  expect(findStep(` ${code.slice(0, 3)} ${code.slice(3)}`, secret, now)).toBe(stepAt(now));
  for (const wrong of ['', '12345', `${code}0`, 'ñandú1', '１２３４５６'])
    expect(findStep(wrong, secret, now)).toBe(undefined);
});

test('the secret for one-time codes has 160 bits, and its URL names site and account', () => {
  const secret = newSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(newSecret()).not.toBe(secret);
  const { protocol, host, pathname, searchParams } = new URL(
    otpauthAddress(secret, 'ana+1@ejemplo.mx', 'Carga: Á & Co'),
  );
  expect([protocol, host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(pathname)).toBe('/Carga: Á & Co:ana+1@ejemplo.mx');
  expect(Object.fromEntries(searchParams)).toMatchObject({ secret, issuer: 'Carga: Á & Co' });
});
