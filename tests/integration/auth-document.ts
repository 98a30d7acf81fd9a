import * as z from 'zod';

// Checks our answers to supabase-js against the OpenAPI document of Supabase Auth (August 2026):
// https://github.com/supabase/auth/blob/master/openapi.yaml. Unknown properties are findings, and so are missing
// properties that auth-js needs.

const moment = z.iso.datetime({ offset: true });

const factor = z.strictObject({
  id: z.uuid(),
  friendly_name: z.string().optional(),
  // The document of August 2026 lacks `recovery_code`, which auth-js 2.119 knows.
  factor_type: z.enum(['totp', 'phone', 'webauthn', 'recovery_code']),
  status: z.enum(['verified', 'unverified']),
  created_at: moment,
  updated_at: moment,
  last_challenged_at: moment.optional(),
});

const user = z.strictObject({
  id: z.uuid(),
  aud: z.string(),
  role: z.string().optional(),
  email: z.email().optional(),
  email_confirmed_at: moment.optional(),
  phone: z.string().optional(),
  last_sign_in_at: moment.optional(),
  app_metadata: z.record(z.string(), z.unknown()),
  user_metadata: z.record(z.string(), z.unknown()),
  // Our server knows no identities of other providers.
  identities: z.tuple([]),
  factors: z.array(factor).optional(),
  created_at: moment,
  updated_at: moment.optional(),
  is_anonymous: z.boolean().optional(),
});

const session = z.strictObject({
  access_token: z.jwt(),
  refresh_token: z.string().min(1),
  token_type: z.literal('bearer'),
  expires_in: z.int().positive(),
  expires_at: z.int().positive(),
  user,
});

const refusal = z.strictObject({
  code: z.int(),
  error_code: z.string(),
  msg: z.string(),
  weak_password: z.strictObject({ reasons: z.array(z.enum(['length', 'characters', 'pwned'])) }).optional(),
});

const enrolled = z.strictObject({
  id: z.uuid(),
  type: z.enum(['totp', 'webauthn']),
  friendly_name: z.string(),
  totp: z.strictObject({ qr_code: z.string(), secret: z.string(), uri: z.url() }).optional(),
});

const challenge = z.strictObject({
  id: z.uuid(),
  type: z.enum(['totp', 'webauthn']),
  expires_at: z.int().positive(),
  webauthn: z
    .strictObject({
      type: z.enum(['create', 'request']),
      credential_options: z.strictObject({ publicKey: z.looseObject({ challenge: z.base64url() }) }),
    })
    .optional(),
});

// The document of August 2026 has no recovery codes, so this is the description in auth-js 2.119.
const codes = { id: z.uuid(), type: z.literal('recovery_code'), total: z.int() };
const newCodes = z.strictObject({ ...codes, friendly_name: z.string(), codes: z.array(z.string()) });
const only = z.strictObject({ id: z.uuid() });

/** Status and body of the successful answers, by method and path. */
const ANSWERS: Readonly<Record<string, { readonly status: number; readonly body: z.ZodType }>> = {
  'POST /token': { status: 200, body: session },
  'GET /user': { status: 200, body: user },
  'PUT /user': { status: 200, body: user },
  'POST /logout': { status: 204, body: z.null() },
  'GET /admin/users': { status: 200, body: z.strictObject({ users: z.array(user), aud: z.string() }) },
  'POST /admin/users': { status: 200, body: user },
  'GET /admin/users/{userId}': { status: 200, body: user },
  'PUT /admin/users/{userId}': { status: 200, body: user },
  // The document requires no property of the deleted user, and auth-js reads none, so an empty object is allowed.
  'DELETE /admin/users/{userId}': { status: 200, body: z.union([user, z.strictObject({})]) },
  'POST /factors': { status: 200, body: enrolled },
  'POST /factors/{factorId}/challenge': { status: 200, body: challenge },
  'POST /factors/{factorId}/verify': { status: 200, body: session },
  'DELETE /factors/{factorId}': { status: 200, body: only },
  'GET /factors/recovery-codes': { status: 200, body: z.strictObject({ ...codes, remaining: z.int() }) },
  'POST /factors/recovery-codes': { status: 200, body: newCodes },
  'POST /factors/recovery-codes/regenerate': { status: 200, body: newCodes },
  'POST /factors/recovery-codes/verify': { status: 200, body: session },
  'DELETE /factors/recovery-codes': { status: 200, body: only },
  'GET /admin/users/{userId}/factors': { status: 200, body: z.array(factor) },
  'DELETE /admin/users/{userId}/factors/{factorId}': { status: 200, body: z.union([factor, only]) },
};

/**
 * HTTP statuses of refused requests. The OpenAPI document lists fewer: it has no 5xx, and calls 400 and 422
 * interchangeable. 413 and 415 come from the gateway in front of Supabase Auth. Requests without key or session get 401
 * or 403.
 */
const REFUSED = new Set([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]);

export class AuthDocument {
  readonly findings: string[] = [];
  readonly #met = new Set<string>();

  /** Adds a finding if the document does not allow this answer. */
  async check(method: string, path: string, answer: Response): Promise<void> {
    const id = (_: string, place: string) => `/${place}/{${place.slice(0, -1)}Id}`;
    const name = `${method} ${path.replace(/^\/auth\/v1/, '').replaceAll(/\/(users|factors)\/[0-9a-f-]{36}/g, id)}`;
    const text = await answer.clone().text();
    const { status } = answer;
    const expected = ANSWERS[name];
    if (expected && status < 300) this.#met.add(name);
    const body: z.ZodType = expected && status === expected.status ? expected.body : refusal;
    const isKnown = expected?.status === status || REFUSED.has(status);
    const read = body.safeParse(text === '' ? null : JSON.parse(text));
    if (isKnown && read.success) return;
    // The body is not printed, because it contains tokens.
    this.findings.push(`${name} ${status}: ${read.success ? 'no such status' : z.prettifyError(read.error)}`);
  }

  /** Returns the paths (about second factors, or all others) that no test has called successfully. */
  unmet(about: 'factors' | 'others'): string[] {
    return Object.keys(ANSWERS).filter(
      (name) => !this.#met.has(name) && name.includes('factors') === (about === 'factors'),
    );
  }
}
