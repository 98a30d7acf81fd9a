import { setTimeout as wait } from 'node:timers/promises';
import { REFUSAL_DELAY, createAdmission } from '../admission.ts';
import type { Database } from '../database/database.ts';
import { DISK_FULL } from '../database/disk-space.ts';
import { reportError } from '../report-error.ts';
import type { Limits } from '../limits.ts';
import { bearerOf, type Gate } from '../rest/identity.ts';
import { isDatabaseError, Refusal } from '../rest/refusal.ts';
import { createAccounts, readEmail, userOf } from './accounts.ts';
import { createAdmin } from './admin.ts';
import { answered, readBody } from './body.ts';
import { hashOfNobody, hashPassword, isGuessable, isLongEnough, PASSWORD_LENGTH, passwordFits } from './passwords.ts';
import { asAuthResponse, AuthRefusal, busy, wrongCredentials } from './refusal.ts';
import { createSessions, type Scope, type SignedIn } from './sessions.ts';
import { createPasswordChecks, createThrottle } from './throttle.ts';
import { createTokens } from './tokens.ts';

/** Milliseconds after sign-in without asking for the current password. */
const RECENT_SIGN_IN = 10 * 60_000;

/** Answers `/auth/v1` like Supabase Auth, for staff with passwords. */
export type Auth = (request: Request, address: string) => Promise<Response>;

interface Dependencies {
  readonly database: Pick<Database, 'transaction' | 'atOnce'>;
  readonly gate: Gate;
  readonly publishableKey: string;
  readonly secret: Uint8Array;
  readonly limits: Limits;
  readonly now?: () => number;
}

export function createAuth({ database, gate, publishableKey, secret, limits, now = Date.now }: Dependencies): Auth {
  const mostBytes = limits.LIMIT_BODY_BYTES;
  const sessions = createSessions(database, now);
  const tokens = createTokens(secret, now);
  const throttle = createThrottle(limits, now);
  const inTurn = createAdmission({
    waiting: limits.LIMIT_WAITING,
    atOnce: database.atOnce,
    perAddress: { staff: limits.LIMIT_READS_PER_ADDRESS },
  });
  const checkPassword = createPasswordChecks();
  const admin = createAdmin(createAccounts(database), mostBytes);
  const nobody = hashOfNobody();

  /** Counts an attempt, and takes it back unless password or name was wrong. */
  async function throttled<Result>(email: string, address: string, work: () => Promise<Result>): Promise<Result> {
    const attempt = throttle.begin(email, address);
    try {
      const result = await checkPassword(address, work);
      // Only this attempt: a success must not reset the attempts of a guesser at the same address.
      attempt.takeBack();
      return result;
    } catch (error) {
      if (!(error instanceof AuthRefusal && error.code === 'invalid_credentials')) attempt.takeBack();
      throw error;
    }
  }

  async function withPassword(request: Request, address: string): Promise<Response> {
    const { email: typed, password } = await readBody(request, mostBytes);
    if (typeof typed !== 'string' || typeof password !== 'string' || !typed || !password)
      throw new AuthRefusal(400, 'validation_failed', 'missing email or password');
    const email = readEmail(typed);
    const begun = await throttled(email, address, async () => {
      const account = await sessions.accountOf(email);
      const fits = await passwordFits(password, account?.password ?? nobody);
      const session = account && fits ? await sessions.begin(account) : undefined;
      if (!session) throw wrongCredentials();
      return session;
    });
    throttle.rememberSignIn(email, address);
    return answered(await tokens.sessionAnswer(begun.account, begun.session));
  }

  async function withRefreshToken(request: Request, address: string): Promise<Response> {
    const { refresh_token: token } = await readBody(request, mostBytes);
    if (typeof token !== 'string' || !token) throw new AuthRefusal(400, 'validation_failed', 'refresh_token required');
    const read = tokens.readRefreshToken(token);
    const found = read ? await inTurn('staff', address, () => sessions.refresh(read)) : 'refresh_token_not_found';
    if (typeof found === 'string') throw new AuthRefusal(400, found, `Invalid Refresh Token: ${found}`);
    throttle.rememberSignIn(found.account.email, address);
    return answered(await tokens.sessionAnswer(found.account, found.session));
  }

  /** Finds the session of an access token. */
  async function signedIn(request: Request, address: string): Promise<SignedIn> {
    const token = bearerOf(request.headers);
    if (!token || token === publishableKey)
      throw new AuthRefusal(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
    const { session, account } = await tokens.readAccessToken(token);
    const found = await inTurn('staff', address, () => sessions.find(session, account));
    if (!found) throw new AuthRefusal(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
    return found;
  }

  async function signOut(request: Request, address: string, search: URLSearchParams): Promise<Response> {
    const scope = search.get('scope') ?? 'global';
    if (!isScope(scope)) throw new AuthRefusal(400, 'validation_failed', 'Unsupported logout scope');
    const who = await signedIn(request, address);
    await inTurn('staff', address, () => sessions.end(who, scope));
    return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } });
  }

  async function changeUser(request: Request, address: string): Promise<Response> {
    const who = await signedIn(request, address);
    const { password, current_password: current, email, phone } = await readBody(request, mostBytes);
    if (typeof password !== 'string' || email !== undefined || phone !== undefined)
      throw new AuthRefusal(400, 'validation_failed', 'Only the password can be changed');
    if (!isLongEnough(password)) {
      const { least, most } = PASSWORD_LENGTH;
      const message = `A password has ${least} to ${most} characters`;
      throw new AuthRefusal(422, 'weak_password', message, { weak_password: { reasons: ['length'] } });
    }
    if (await isGuessable(password, who.account.email))
      throw new AuthRefusal(422, 'weak_password', 'A password must not be easy to guess', {
        weak_password: { reasons: ['characters'] },
      });
    const isRecent = now() - who.session.createdAt.getTime() <= RECENT_SIGN_IN;
    if (typeof current !== 'string' && !isRecent)
      throw new AuthRefusal(400, 'reauthentication_needed', 'Sign in again, or send the current password');
    const changed = await throttled(who.account.email, address, async () => {
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

  async function carryOut(request: Request, address: string): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^\/auth\/v1/, '');
    if (path.startsWith('/admin/')) {
      if (!(await gate.isService(request))) throw new AuthRefusal(403, 'not_admin', 'Only with the service key');
      return admin(request, path.replace(/^\/admin/, ''), searchParams);
    }
    if (request.headers.get('apikey') !== publishableKey)
      throw new AuthRefusal(401, 'no_authorization', 'Invalid API key');
    const what = `${request.method} ${path}`;
    const grant = searchParams.get('grant_type');
    if (what === 'POST /token' && grant === 'password') return withPassword(request, address);
    if (what === 'POST /token' && grant === 'refresh_token') return withRefreshToken(request, address);
    if (what === 'POST /token') throw new AuthRefusal(400, 'invalid_credentials', 'unsupported_grant_type');
    if (what === 'GET /user') return answered(userOf((await signedIn(request, address)).account));
    if (what === 'PUT /user') return changeUser(request, address);
    if (what === 'POST /logout') return signOut(request, address, searchParams);
    throw new AuthRefusal(404, 'unexpected_failure', 'There is nothing here');
  }

  return async (request, address) => {
    try {
      return await carryOut(request, address);
    } catch (error) {
      const refusal = refusalFor(error);
      if (refusal.retryAfter !== undefined) await wait(REFUSAL_DELAY);
      return asAuthResponse(refusal);
    }
  };
}

function isScope(scope: string): scope is Scope {
  return ['global', 'local', 'others'].includes(scope);
}

/** Refusal for an error, without its message, which may contain typed text. */
function refusalFor(error: unknown): AuthRefusal {
  if (error instanceof AuthRefusal) return error;
  if (error instanceof Refusal) return busy();
  // Named, because staff see it and can tell the operator.
  if (isDatabaseError(error) && error.code === DISK_FULL) return busy('The disk is nearly full');
  if (isDatabaseError(error) && /^(53|57|58)/.test(error.code)) return busy();
  reportError(error, 'signing somebody in');
  return new AuthRefusal(500, 'unexpected_failure', 'The server could not do this');
}
