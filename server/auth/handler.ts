import { setTimeout as wait } from 'node:timers/promises';
import { REFUSAL_DELAY, createAdmission } from '../admission.ts';
import type { Database } from '../database/database.ts';
import { DISK_FULL } from '../database/disk-space.ts';
import { reportError } from '../report-error.ts';
import type { Limits } from '../limits.ts';
import type { Gate } from '../rest/identity.ts';
import { isDatabaseError, Refusal } from '../rest/refusal.ts';
import { createAccounts, userOf } from './accounts.ts';
import { createAdmin } from './admin.ts';
import { answered } from './body.ts';
import { changePassword } from './change-password.ts';
import { createFactors } from './factors.ts';
import { asAuthResponse, AuthRefusal, busy } from './refusal.ts';
import { createSecondFactor } from './second-factor.ts';
import { createSessions } from './sessions.ts';
import { createSignIn } from './sign-in.ts';
import { createPasswordGuard } from './throttle.ts';
import { createTokens } from './tokens.ts';

/** Answers requests to `/auth/v1` like Supabase Auth, for staff who sign in with a password. */
export type Auth = (request: Request, address: string) => Promise<Response>;

interface Dependencies {
  readonly database: Pick<Database, 'transaction' | 'atOnce'>;
  readonly gate: Gate;
  readonly publishableKey: string;
  readonly secret: Uint8Array;
  readonly limits: Limits;
  /** Address of the published site, for which passkeys are made. */
  readonly siteUrl?: string | undefined;
  readonly now?: () => number;
}

export function createAuth({
  database,
  gate,
  publishableKey,
  secret,
  limits,
  siteUrl,
  now = Date.now,
}: Dependencies): Auth {
  const services = {
    publishableKey,
    mostBytes: limits.LIMIT_BODY_BYTES,
    sessions: createSessions(database, now),
    tokens: createTokens(secret, now),
    inTurn: createAdmission({
      waiting: limits.LIMIT_WAITING,
      atOnce: database.atOnce,
      perAddress: { staff: limits.LIMIT_READS_PER_ADDRESS },
    }),
    now,
  };
  const factors = createFactors(database, now);
  const admin = createAdmin(createAccounts(database), factors, services.mostBytes);
  // Wrong passwords and wrong codes are counted separately. Otherwise the wrong codes of one colleague would block the
  // passwords of all colleagues at the same address.
  const passwordGuard = createPasswordGuard(limits, now);
  const factorGuard = createPasswordGuard(limits, now);
  const signIn = createSignIn({ ...services, guard: passwordGuard });
  const secondFactor = createSecondFactor({ ...services, factors, guard: factorGuard, siteUrl });

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
    if (what === 'POST /token' && grant === 'password') return signIn.withPassword(request, address);
    if (what === 'POST /token' && grant === 'refresh_token') return signIn.withRefreshToken(request, address);
    if (what === 'POST /token') throw new AuthRefusal(400, 'invalid_credentials', 'unsupported_grant_type');
    if (what === 'GET /user') return answered(userOf((await signIn.signedIn(request, address)).account));
    if (what === 'PUT /user')
      return changePassword(request, address, await signIn.signedIn(request, address), {
        ...services,
        guard: passwordGuard,
      });
    if (/^\/factors(\/|$)/.test(path))
      return secondFactor(await signIn.signedIn(request, address), address, request, path.replace(/^\/factors/, ''));
    if (what === 'POST /logout') return signIn.signOut(request, address, searchParams);
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

/** Returns the refusal for an error. The refusal omits the error's message, which may contain a typed password. */
function refusalFor(error: unknown): AuthRefusal {
  if (error instanceof AuthRefusal) return error;
  if (error instanceof Refusal) return busy();
  // The answer says that the disk is full, so that staff can tell the operator.
  if (isDatabaseError(error) && error.code === DISK_FULL) return busy('The disk is nearly full');
  if (isDatabaseError(error) && /^(53|57|58)/.test(error.code)) return busy();
  reportError(error, 'signing somebody in');
  return new AuthRefusal(500, 'unexpected_failure', 'The server could not do this');
}
