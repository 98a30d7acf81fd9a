import type { Bilingual } from '../../content/bilingual.ts';
import { deskFactor } from '../../content/desk-factor.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskSession } from '../../content/desk-session.ts';
import type { AuthFailure } from '../api/auth.ts';
import { NO_PASSKEY } from '../api/factors.ts';

export type Way = 'app' | 'passkey' | 'recovery';

const words = deskFactor.failures;
const WRONG = { app: words.wrong, passkey: words.passkey, recovery: words.wrongRecovery } as const;

export function sentenceOf({ status, code }: AuthFailure, way: Way): Bilingual {
  if (status === 429) return deskSession.signIn.throttled;
  if (code === NO_PASSKEY) return words.passkey;
  if (code === 'mfa_challenge_expired') return words.late;
  if (code === 'mfa_verification_failed') return WRONG[way];
  return status >= 400 && status < 500 ? deskFailures.failed : deskFailures.unreachable;
}
