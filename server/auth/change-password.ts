import { userOf } from './accounts.ts';
import { answered, readBody } from './body.ts';
import { hashPassword, isGuessable, isLongEnough, PASSWORD_LENGTH, passwordFits } from './passwords.ts';
import { AuthRefusal, wrongCredentials } from './refusal.ts';
import type { SignedIn } from './sessions.ts';
import type { SignInServices } from './sign-in.ts';

/** Milliseconds after sign-in during which the password can be changed without typing the current one. */
const RECENT_SIGN_IN = 10 * 60_000;

type Services = Pick<SignInServices, 'mostBytes' | 'sessions' | 'guard'> & { readonly now: () => number };

/** Answers `PUT /user`, which changes the password of a session's owner. */
export async function changePassword(
  request: Request,
  address: string,
  who: SignedIn,
  { mostBytes, sessions, guard, now }: Services,
): Promise<Response> {
  const { password, current_password: current, email, phone } = await readBody(request, mostBytes);
  if (typeof password !== 'string' || email !== undefined || phone !== undefined)
    throw new AuthRefusal(400, 'validation_failed', 'Only the password can be changed');
  if (!who.session.passed && who.account.factors.some(({ status }) => status === 'verified'))
    throw new AuthRefusal(401, 'insufficient_aal', 'AAL2 session is required to update the password');
  await requireStrong(password, who.account.email);
  const isRecent = now() - who.session.createdAt.getTime() <= RECENT_SIGN_IN;
  if (typeof current !== 'string' && !isRecent)
    throw new AuthRefusal(400, 'reauthentication_needed', 'Sign in again, or send the current password');
  const changed = await guard.check(who.account.email, address, async () => {
    const hash = who.account.password;
    if (typeof current === 'string' && !(await passwordFits(current, hash))) throw wrongCredentials();
    if (await passwordFits(password, hash))
      throw new AuthRefusal(422, 'same_password', 'New password should be different from the old password');
    const account = await sessions.changePassword(who, await hashPassword(password));
    if (!account) throw new AuthRefusal(409, 'conflict', 'The password was changed meanwhile');
    return account;
  });
  return answered(userOf(changed));
}

async function requireStrong(password: string, email: string): Promise<void> {
  if (!isLongEnough(password)) {
    const { least, most } = PASSWORD_LENGTH;
    const message = `A password has ${least} to ${most} characters`;
    throw new AuthRefusal(422, 'weak_password', message, { weak_password: { reasons: ['length'] } });
  }
  if (await isGuessable(password, email))
    throw new AuthRefusal(422, 'weak_password', 'A password must not be easy to guess', {
      weak_password: { reasons: ['characters'] },
    });
}
