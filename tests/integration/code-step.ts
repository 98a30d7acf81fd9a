import { stepAt } from '../../server/auth/totp.ts';

const HALF_MINUTE = 30_000;

/**
 * Returns the present half minute of one-time codes. Waits for the next half minute if less than three seconds are
 * left, because the code of the previous half minute would expire on its way to the server.
 */
export async function stepWithTimeLeft(): Promise<number> {
  const left = HALF_MINUTE - (Date.now() % HALF_MINUTE);
  if (left < 3000) await new Promise((resolve) => setTimeout(resolve, left));
  return stepAt(Date.now());
}
