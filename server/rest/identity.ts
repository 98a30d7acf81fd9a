import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import { Refusal } from './refusal.ts';

export interface Identity {
  readonly role: string;
  readonly claims: JWTPayload;
}

const ROLES = new Set(['anon', 'authenticated', 'service_role']);

export interface Gate {
  /** Finds the identity of a request. Throws a Refusal if its keys are invalid. */
  identify(request: Request): Promise<Identity>;
  isService(request: Request): Promise<boolean>;
  serviceKey(): Promise<string>;
}

export function createGate({ publishableKey, secret }: { publishableKey: string; secret: Uint8Array }): Gate {
  const identityOf = async (token: string): Promise<Identity> => {
    if (token === publishableKey) return { role: 'anon', claims: { role: 'anon' } };
    const claims = await verify(token, secret);
    const role = claims['role'] ?? 'anon';
    if (typeof role !== 'string' || !ROLES.has(role)) {
      throw new Refusal(403, '42501', `permission denied to set role ${JSON.stringify(role)}`);
    }
    return { role, claims: { ...claims, role } };
  };

  const identify = async (request: Request): Promise<Identity> => {
    // The key is read from the header only, because a query string appears in logs.
    const key = request.headers.get('apikey');
    if (!key)
      throw new Refusal(401, '401', 'No API key found in request', { hint: 'No `apikey` request header was found.' });
    const byKey = await identityOf(key).catch(() => undefined);
    if (!byKey)
      throw new Refusal(401, '401', 'Invalid API key', { hint: 'Double check the anon or service_role API key.' });
    const bearer = bearerOf(request.headers);
    return bearer && bearer !== key ? identityOf(bearer) : byKey;
  };

  return {
    identify,
    isService: (request) =>
      identify(request).then(
        ({ role }) => role === 'service_role',
        () => false,
      ),
    // The key expires soon, so that a leaked key is worthless after a few minutes.
    serviceKey: () =>
      new SignJWT({ role: 'service_role' })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setExpirationTime('5 minutes')
        .sign(secret),
  };
}

export const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];

async function verify(token: string, secret: Uint8Array): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, secret, { algorithms: ['HS256'], clockTolerance: 30 });
    // No tolerance is allowed for tokens with a session_id: this server made them, so the same clock sets and checks
    // their time.
    if (payload['session_id'] && payload.exp! * 1000 <= Date.now()) throw new errors.JWTExpired('', payload);
    return payload;
  } catch (error) {
    const [code, message] =
      error instanceof errors.JWTExpired
        ? ['PGRST303', 'JWT expired']
        : ['PGRST301', 'No suitable key or wrong key type'];
    throw new Refusal(401, code, message, {
      headers: { 'www-authenticate': `Bearer error="invalid_token", error_description="${message}"` },
    });
  }
}
