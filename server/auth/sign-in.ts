import type { createAdmission } from '../admission.ts';
import { bearerOf } from '../rest/identity.ts';
import { readEmail } from './accounts.ts';
import { answered, readBody } from './body.ts';
import { hashOfNobody, passwordFits } from './passwords.ts';
import { AuthRefusal, wrongCredentials } from './refusal.ts';
import type { createSessions, Scope, SignedIn } from './sessions.ts';
import type { PasswordGuard } from './throttle.ts';
import type { Tokens } from './tokens.ts';

export interface SignInServices {
  readonly publishableKey: string;
  readonly mostBytes: number;
  readonly sessions: ReturnType<typeof createSessions>;
  readonly tokens: Tokens;
  readonly guard: PasswordGuard;
  readonly inTurn: ReturnType<typeof createAdmission>;
}

/** Answers the requests that begin, renew, read and end sessions. */
export function createSignIn({ publishableKey, mostBytes, sessions, tokens, guard, inTurn }: SignInServices) {
  const nobody = hashOfNobody();

  async function withPassword(request: Request, address: string): Promise<Response> {
    const { email: typed, password } = await readBody(request, mostBytes);
    if (typeof typed !== 'string' || typeof password !== 'string' || !typed || !password)
      throw new AuthRefusal(400, 'validation_failed', 'missing email or password');
    const email = readEmail(typed);
    const begun = await guard.check(email, address, async () => {
      const account = await sessions.accountOf(email);
      const fits = await passwordFits(password, account?.password ?? nobody);
      const session = account && fits ? await sessions.begin(account) : undefined;
      if (!session) throw wrongCredentials();
      return session;
    });
    guard.rememberSignIn(email, address);
    return answered(await tokens.sessionAnswer(begun.account, begun.session));
  }

  async function withRefreshToken(request: Request, address: string): Promise<Response> {
    const { refresh_token: token } = await readBody(request, mostBytes);
    if (typeof token !== 'string' || !token) throw new AuthRefusal(400, 'validation_failed', 'refresh_token required');
    const read = tokens.readRefreshToken(token);
    const found = read ? await inTurn('staff', address, () => sessions.refresh(read)) : 'refresh_token_not_found';
    if (typeof found === 'string') throw new AuthRefusal(400, found, `Invalid Refresh Token: ${found}`);
    guard.rememberSignIn(found.account.email, address);
    return answered(await tokens.sessionAnswer(found.account, found.session));
  }

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

  return { withPassword, withRefreshToken, signedIn, signOut };
}

function isScope(scope: string): scope is Scope {
  return ['global', 'local', 'others'].includes(scope);
}
