import * as z from 'zod';

// What the OpenAPI document of Supabase Auth says of the answers to what supabase-js calls, as of August 2026:
// https://github.com/supabase/auth/blob/master/openapi.yaml. A property that it does not know is a finding, and so is one
// missing that auth-js counts on.

const moment = z.iso.datetime({ offset: true });

const identity = z.strictObject({
  identity_id: z.uuid(),
  id: z.string(),
  user_id: z.uuid(),
  identity_data: z.record(z.string(), z.unknown()).optional(),
  provider: z.string(),
  last_sign_in_at: moment.optional(),
  created_at: moment.optional(),
  updated_at: moment.optional(),
  email: z.email().optional(),
});

const user = z.strictObject({
  id: z.uuid(),
  aud: z.string(),
  role: z.string().optional(),
  email: z.email().optional(),
  email_confirmed_at: moment.optional(),
  phone: z.string().optional(),
  confirmed_at: moment.optional(),
  last_sign_in_at: moment.optional(),
  app_metadata: z.record(z.string(), z.unknown()),
  user_metadata: z.record(z.string(), z.unknown()),
  identities: z.array(identity).optional(),
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

/** By method and path: with which status it answers when it does what was asked, and with what. */
const ANSWERS: Readonly<Record<string, { readonly status: number; readonly body: z.ZodType }>> = {
  'POST /token': { status: 200, body: session },
  'GET /user': { status: 200, body: user },
  'PUT /user': { status: 200, body: user },
  'POST /logout': { status: 204, body: z.null() },
  'GET /admin/users': { status: 200, body: z.strictObject({ users: z.array(user), aud: z.string() }) },
  'POST /admin/users': { status: 200, body: user },
  'GET /admin/users/{userId}': { status: 200, body: user },
  'PUT /admin/users/{userId}': { status: 200, body: user },
  // The document has the user here, and every property of it optional: auth-js reads none.
  'DELETE /admin/users/{userId}': { status: 200, body: z.union([user, z.strictObject({})]) },
};

/**
 * 5xx is listed nowhere there, and 'HTTP 400 and 422 are used interchangeably'; 409 is `conflict` of its table of error
 * codes, 413 and 415 are what a gateway says. Whoever has no key, or no session, meets 401 and 403 on every path.
 */
const REFUSED = new Set([400, 401, 403, 404, 409, 413, 415, 422, 429, 500, 503]);

export class AuthDocument {
  readonly findings: string[] = [];
  readonly #met = new Set<string>();

  /** What it says of this answer. */
  async check(method: string, path: string, answer: Response): Promise<void> {
    const name = `${method} ${path.replace(/^\/auth\/v1/, '').replace(/[0-9a-f-]{36}$/, '{userId}')}`;
    const text = await answer.clone().text();
    const { status } = answer;
    const expected = ANSWERS[name];
    if (expected && status < 300) this.#met.add(name);
    const body: z.ZodType = expected && status === expected.status ? expected.body : refusal;
    const isKnown = expected?.status === status || REFUSED.has(status);
    const read = body.safeParse(text === '' ? null : JSON.parse(text));
    if (isKnown && read.success) return;
    // Never the body: it has tokens.
    this.findings.push(`${name} ${status}: ${read.success ? 'no such status' : z.prettifyError(read.error)}`);
  }

  /** Paths that nobody asked in vain. */
  get unmet(): string[] {
    return Object.keys(ANSWERS).filter((name) => !this.#met.has(name));
  }
}
