import { createHmac, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { type Account, userOf } from './accounts.ts';
import { AuthRefusal } from './refusal.ts';
import type { Session } from './sessions.ts';

/** Seconds for which an access token is valid, even after sign-out. */
const ACCESS_SECONDS = 15 * 60;
const AUDIENCE = 'authenticated';

/**
 * Content of a refresh token. Each renewal increases the session's counter. A token with an older counter is refused,
 * except the previous one for 30 seconds (sessions.ts).
 */
export interface RefreshToken {
  readonly session: string;
  readonly counter: number;
}

export interface Tokens {
  /** Answer to a sign-in in the format of auth-js: the session with new tokens. */
  sessionAnswer(account: Account, session: Session): Promise<object>;
  /** Reads a token without asking the database. Returns undefined for a token that this server did not make. */
  readRefreshToken(token: string): RefreshToken | undefined;
  /** Resolves with session and account of an access token. Throws a refusal if the token is not valid. */
  readAccessToken(token: string): Promise<{ readonly session: string; readonly account: string }>;
}

/** Methods by which the colleague signed in to this session, newest first, for the claim `amr`. */
function amrOf({ createdAt, passed }: Session) {
  const entry = (method: string, at: Date) => ({ method, timestamp: Math.floor(at.getTime() / 1000) });
  return [...(passed ? [entry(passed.method, passed.at)] : []), entry('password', createdAt)];
}

export function createTokens(secret: Uint8Array, now: () => number): Tokens {
  /** The refresh token is computed, not random, so that a repeated request gets the same token. */
  const refreshToken = ({ session, counter }: RefreshToken) => `${session}.${counter}.${sealOf(session, counter)}`;
  const sealOf = (session: string, counter: number) =>
    createHmac('sha256', secret).update(`refresh token ${counter} of session ${session}`).digest('base64url');

  return {
    async sessionAnswer(account, session) {
      const user = userOf(account);
      const issuedAt = Math.floor(now() / 1000);
      const expiresAt = issuedAt + ACCESS_SECONDS;
      const claims = {
        role: user.role,
        email: user.email,
        phone: user.phone,
        app_metadata: user.app_metadata,
        user_metadata: user.user_metadata,
        aal: session.passed ? 'aal2' : 'aal1',
        amr: amrOf(session),
        session_id: session.session,
        is_anonymous: false,
      };
      const accessToken = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(user.id)
        .setAudience(AUDIENCE)
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(secret);
      return {
        access_token: accessToken,
        token_type: 'bearer',
        expires_in: ACCESS_SECONDS,
        expires_at: expiresAt,
        refresh_token: refreshToken(session),
        user,
      };
    },

    readRefreshToken(token) {
      const [, session, digits, seal] = /^([0-9a-f-]{36})\.(\d{1,9})\.([\w-]{43})$/.exec(token) ?? [];
      if (!session || !digits || !seal) return undefined;
      const counter = Number(digits);
      const own = timingSafeEqual(Buffer.from(seal, 'base64url'), Buffer.from(sealOf(session, counter), 'base64url'));
      return own ? { session, counter } : undefined;
    },

    async readAccessToken(token) {
      const options = { algorithms: ['HS256'], audience: AUDIENCE, currentDate: new Date(now()) };
      const claims = await jwtVerify(token, secret, options).then(
        ({ payload }) => payload,
        (error: unknown) => {
          const why = error instanceof errors.JWTExpired ? 'token is expired' : 'unable to verify it';
          throw new AuthRefusal(403, 'bad_jwt', `invalid JWT: ${why}`);
        },
      );
      const { sub: account, session_id: session } = claims;
      if (!account || typeof session !== 'string')
        throw new AuthRefusal(403, 'bad_jwt', 'invalid JWT: it has no session');
      return { session, account };
    },
  };
}
