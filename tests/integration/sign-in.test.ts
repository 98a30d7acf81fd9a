import { randomBytes, randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { hashPassword, passwordFits } from '../../server/auth/passwords.ts';
import { AUTH_SCHEMA } from '../../server/auth/schema.ts';
import { createSessions } from '../../server/auth/sessions.ts';
import { createGate } from '../../server/rest/identity.ts';
import { asking } from './callers.ts';
import { fails } from './lead-acts.ts';
import { ask, embeddedSide, guess, hired, hostedSide, refresh, signedIn, tab, type Side } from './signing-in.ts';

const derived = vi.hoisted((): { salt: number; cost: unknown }[] => []);
/** Promise that delays every password check until it resolves. */
const hold = vi.hoisted((): { until?: Promise<void> } => ({}));
// The tests hash passwords at a low cost to save time, and record the cost that the server asked for.
vi.mock(import('node:crypto'), async (original) => {
  const actual = await original();
  const scrypt = (...[password, salt, length, cost, done]: Parameters<typeof actual.scrypt>) => {
    derived.push({ salt: (salt as Buffer).length, cost });
    const derive = () => actual.scrypt(password, salt, length, { ...cost, N: 16 }, done);
    if (hold.until) void hold.until.then(derive);
    else derive();
  };
  return { ...actual, scrypt } as unknown as typeof actual;
});

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const hosted = hostedSide();

const embedded = await embeddedSide();
afterAll(() => embedded.close());
beforeEach(() => {
  embedded.restart();
  derived.length = 0;
  delete hold.until;
});

describe.each<[name: string, side: Side]>([
  ['the embedded server', embedded],
  ...(hosted ? [['a hosted project', hosted] as [string, Side]] : []),
])('staff sign-in with supabase-js at %s', (_, side) => {
  test('a colleague signs in with one request, and must change the temporary password', async () => {
    const ana = await hired(side);
    const { session, requests, events, auth, storage } = await signedIn(side, ana);
    expect(requests).toEqual(['POST /auth/v1/token?grant_type=password']);
    expect(events).toContain('SIGNED_IN');
    const app_metadata = { role: 'staff', name: 'Ana Ruiz' };
    expect(session.user).toMatchObject({ email: ana.email, app_metadata, user_metadata: { must_change: true } });
    expect(decodeJwt(session.access_token)).toMatchObject({
      aud: 'authenticated',
      role: 'authenticated',
      email: ana.email,
      sub: session.user.id,
      app_metadata,
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect((await auth.getUser()).data.user?.email).toBe(ana.email);
    expect((await auth.getClaims()).data?.claims.app_metadata).toMatchObject({ role: 'staff' });
    const reopened = tab(side, { storage });
    expect((await reopened.auth.getSession()).data.session?.access_token).toBe(session.access_token);
    expect(reopened.requests).toEqual([]);
  });

  test('a wrong password and an unknown e-mail get the same response', async () => {
    const ana = await hired(side);
    await signedIn(side, { ...ana, email: ` ${ana.email.toUpperCase()} ` });
    const wrong = { email: ana.email, password: 'wrong wrong wrong' };
    const error = { status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' };
    for (const who of [wrong, { ...wrong, email: `nobody.${randomUUID()}@example.com` }])
      expect(await tab(side).auth.signInWithPassword(who)).toMatchObject({ data: { session: null }, error });
  });

  test('a refreshed token belongs to the same session', async () => {
    const { auth, session, events } = await signedIn(side, await hired(side));
    const { data, error } = await auth.refreshSession();
    expect(error).toBe(null);
    expect(data.session!.refresh_token).not.toBe(session.refresh_token);
    const sessionIn = (token: string) => decodeJwt(token)['session_id'];
    expect(sessionIn(data.session!.access_token)).toBe(sessionIn(session.access_token));
    expect(events).toContain('TOKEN_REFRESHED');
  });

  test('a colleague signs out on this device, on all others, or on all', async () => {
    const ana = await hired(side);
    const colleague = await signedIn(side, await hired(side, 'Beto'));
    const [one, two, three] = [await signedIn(side, ana), await signedIn(side, ana), await signedIn(side, ana)];
    expect((await one.auth.signOut({ scope: 'local' })).error).toBe(null);
    expect(one.events).toContain('SIGNED_OUT');
    expect(one.storage.size).toBe(0);
    expect((await refresh(side, one.session.refresh_token)).status).toBe(400);
    expect((await two.auth.getUser()).error).toBe(null);
    expect((await two.auth.signOut({ scope: 'others' })).error).toBe(null);
    expect((await three.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await two.auth.getUser()).error).toBe(null);
    const four = await signedIn(side, ana);
    expect((await two.auth.signOut()).error).toBe(null);
    expect((await four.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await colleague.auth.getUser()).error).toBe(null);
  });

  test('a new password ends all other sessions, but not the current session', async () => {
    const ana = await hired(side);
    const other = await signedIn(side, ana);
    const { auth, events } = await signedIn(side, ana);
    const password = 'una contraseña propia';
    const changes = { password, current_password: ana.password, data: { must_change: false } };
    expect((await auth.updateUser(changes)).error).toBe(null);
    expect(events).toContain('USER_UPDATED');
    expect((await auth.getUser()).data.user?.user_metadata).toMatchObject({ must_change: false });
    expect((await auth.refreshSession()).error).toBe(null);
    expect((await other.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect((await tab(side).auth.signInWithPassword(ana)).error?.code).toBe('invalid_credentials');
    await signedIn(side, { ...ana, password });
  });

  test('a colleague is signed out when the operator sets a new password or removes the account', async () => {
    const ana = await hired(side);
    const first = await signedIn(side, ana);
    const password = 'another first password';
    await side.admin.updateUserById(ana.id, { password, user_metadata: { must_change: true } });
    expect((await first.auth.getUser()).error?.name).toBe('AuthSessionMissingError');
    expect(first.events).toContain('SIGNED_OUT');
    const second = await signedIn(side, { ...ana, password });
    await side.admin.deleteUser(ana.id);
    expect((await second.auth.getUser()).error).not.toBe(null);
    expect((await refresh(side, second.session.refresh_token)).status).toBe(400);
    const { error } = await tab(side).auth.signInWithPassword({ email: ana.email, password });
    expect(error?.code).toBe('invalid_credentials');
  });
});

test('an access token is valid for fifteen minutes', async () => {
  const { client, session } = await signedIn(embedded, await hired(embedded));
  const { iat = 0, exp = 0, amr } = decodeJwt<{ amr: { method: string; timestamp: number }[] }>(session.access_token);
  expect([exp - iat, session.expires_in]).toEqual([900, 900]);
  expect(amr.map(({ method, timestamp }) => [method, Math.round((iat - timestamp) / 60)])).toEqual([['password', 0]]);
  expect(decodeProtectedHeader(session.access_token).alg).toBe('HS256');
  expect((await client.from('quotes').select('id').limit(1)).error).toBe(null);
  const gate = createGate({ publishableKey: embedded.publicKey, secret: embedded.secret });
  const bearing = new Request('http://localhost/', {
    headers: { apikey: embedded.publicKey, authorization: `Bearer ${session.access_token}` },
  });
  await expect(gate.identify(bearing)).resolves.toMatchObject({ role: 'authenticated' });
  vi.useFakeTimers({ now: exp * 1000, toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await fails(gate.identify(bearing), 'PGRST303');
  vi.useRealTimers();
  embedded.ahead = 15 * MINUTE;
  const refused = await ask(embedded, '/auth/v1/user', { method: 'GET', token: session.access_token });
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({ error_code: 'bad_jwt', msg: 'invalid JWT: token is expired' });
});

test('a refresh repeated within half a minute, as by twenty tabs, returns the same token', async () => {
  embedded.restart({ LIMIT_READS_PER_ADDRESS: '20' });
  const { session } = await signedIn(embedded, await hired(embedded));
  const all = await Promise.all(Array.from({ length: 20 }, () => refresh(embedded, session.refresh_token)));
  embedded.ahead = 29_000;
  all.push(await refresh(embedded, session.refresh_token));
  expect(new Set(all.map((each) => each.refresh_token)).size).toBe(1);
  expect((await refresh(embedded, all[0]!.refresh_token)).status).toBe(200);
});

test.each([
  ['half a minute', async () => void (embedded.ahead = 31_000)],
  ['the use of its successor', async (next: string) => (await refresh(embedded, next)).refresh_token],
])('a refresh token used again after %s, as by a thief, ends the session', async (_what, happens) => {
  const { auth, session, events } = await signedIn(embedded, await hired(embedded));
  const next = (await auth.refreshSession()).data.session!.refresh_token;
  const newest = (await happens(next)) ?? next;
  for (const [token, error_code] of [
    [session.refresh_token, 'refresh_token_already_used'],
    [newest, 'refresh_token_not_found'],
  ] as const)
    expect(await refresh(embedded, token)).toMatchObject({ status: 400, error_code });
  expect((await auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect(events).toContain('SIGNED_OUT');
  expect((await auth.getSession()).data.session).toBe(null);
});

test('a session ends after two weeks without use', async () => {
  const ana = await hired(embedded);
  const { session } = await signedIn(embedded, ana);
  await signedIn(embedded, ana);
  embedded.ahead = 13 * DAY;
  const used = await refresh(embedded, session.refresh_token);
  embedded.ahead = 27.5 * DAY;
  expect((await refresh(embedded, used.refresh_token)).error_code).toBe('session_expired');
  await signedIn(embedded, ana);
  const sql = 'select 1 from private_auth.sessions where account = $1';
  expect(await embedded.engine.database.transaction([{ sql, parameters: [ana.id] }])).toHaveLength(1);
});

test('a session that was ended elsewhere stays on the device until getUser asks the server', async () => {
  const { auth, events, storage, session } = await signedIn(embedded, await hired(embedded));
  await ask(embedded, '/auth/v1/logout', { token: session.access_token });
  expect((await auth.refreshSession()).error?.code).toBe('refresh_token_not_found');
  expect(storage.has('desk')).toBe(true);
  expect((await auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect([events.includes('SIGNED_OUT'), storage.has('desk')]).toEqual([true, false]);
  const other = await signedIn(embedded, await hired(embedded));
  other.online = false;
  expect((await other.auth.getUser('x.y.z')).error?.name).toBe('AuthRetryableFetchError');
  expect(other.storage.has('desk')).toBe(true);
});

test('the database stores no passwords or tokens of accounts', async () => {
  const ana = await hired(embedded);
  const { session } = await signedIn(embedded, ana);
  const sql = 'select s, a from private_auth.sessions s, private_auth.accounts a';
  const stored = JSON.stringify(await embedded.engine.database.transaction([{ sql, parameters: [] }]));
  for (const word of [ana.password, session.refresh_token, session.refresh_token.split('.')[2]!])
    expect(stored).not.toContain(word);
  await embedded.engine.database.transaction([AUTH_SCHEMA]);
  for (const role of ['anon', 'authenticated', 'service_role'] as const)
    await fails(asking(embedded.engine)({ role }, 'select * from private_auth.accounts'));
});

describe('a new password', () => {
  const change = { password: 'una contraseña propia' };
  const random = (length: number) => randomBytes(150).toString('hex').slice(0, length);

  test('a new password needs the current password, or a sign-in within the last ten minutes', async () => {
    const ana = await hired(embedded);
    const { session } = await signedIn(embedded, ana);
    embedded.ahead = 9 * MINUTE;
    const token = session.access_token;
    const put = (body: object) => ask(embedded, '/auth/v1/user', { method: 'PUT', token, body });
    expect((await put(change)).status).toBe(200);
    embedded.ahead = 11 * MINUTE;
    const later = { password: 'y después otra más' };
    expect(await (await put(later)).json()).toMatchObject({ error_code: 'reauthentication_needed' });
    const wrong = await put({ ...later, current_password: ana.password });
    expect(await wrong.json()).toMatchObject({ error_code: 'invalid_credentials' });
    expect((await put({ ...later, current_password: change.password })).status).toBe(200);
  });

  test('guesses of the current password are limited as at the sign-in', async () => {
    const ana = await hired(embedded);
    const { session } = await signedIn(embedded, ana);
    const body = { ...change, current_password: 'wrong wrong wrong' };
    const wrong = { method: 'PUT', token: session.access_token, body };
    const statuses: number[] = [];
    for (let time = 0; time < 6; time += 1) statuses.push((await ask(embedded, '/auth/v1/user', wrong)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
    expect((await guess(embedded, ana.email, undefined, ana.password)).status).toBe(429);
  });

  test.each<[what: string, body: object, status: number, code: string]>([
    ['of 11 characters', { password: random(11) }, 422, 'weak_password'],
    ['of 201 characters', { password: random(201) }, 422, 'weak_password'],
    ['a repetition', { password: 'aaaaaaaaaaaaaaa' }, 422, 'weak_password'],
    ['common', { password: 'password1234' }, 422, 'weak_password'],
    ['not a text', { password: ['x'.repeat(20)] }, 400, 'validation_failed'],
    ['missing', { data: { role: 'admin' } }, 400, 'validation_failed'],
    ['sent with a new e-mail', { ...change, email: 'x@example.com' }, 400, 'validation_failed'],
  ])('a new password is refused when it is %s', async (_, body, status, code) => {
    const { session } = await signedIn(embedded, await hired(embedded));
    const refused = await ask(embedded, '/auth/v1/user', { method: 'PUT', token: session.access_token, body });
    expect([refused.status, ((await refused.json()) as { error_code: string }).error_code]).toEqual([status, code]);
  });

  test('two simultaneous requests set a new password only once', async () => {
    const ana = await hired(embedded);
    const { session } = await signedIn(embedded, ana);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    hold.until = promise;
    const derivedBefore = derived.length;
    const put = (password: string) =>
      ask(embedded, '/auth/v1/user', { method: 'PUT', token: session.access_token, body: { password } });
    const both = Promise.all([put('una contraseña propia'), put('y otra más propia')]);
    // Both requests must have read the old password before either of them writes a new password.
    await vi.waitUntil(() => derived.length === derivedBefore + 2);
    release();
    const answers = await Promise.all((await both).map(async (answer) => [answer.status, await answer.json()]));
    expect(answers.toSorted(([one], [other]) => Number(one) - Number(other))).toMatchObject([
      [200, { email: ana.email }],
      [409, { error_code: 'conflict' }],
    ]);
  });

  test('a new password must differ from the old password', async () => {
    const ana = await hired(embedded);
    const { auth } = await signedIn(embedded, ana);
    expect((await auth.updateUser({ password: ana.password })).error?.code).toBe('same_password');
    const weak = (await auth.updateUser({ password: 'corta' })).error;
    expect(weak).toMatchObject({ name: 'AuthWeakPasswordError', reasons: ['length'] });
    for (const length of [12, 200]) expect((await auth.updateUser({ password: random(length) })).error).toBe(null);
    const { data } = await auth.updateUser({ ...change, data: { must_change: false, name: 'Jefa', role: 'admin' } });
    expect(data.user).toMatchObject({ app_metadata: { role: 'staff', name: 'Ana Ruiz' } });
    expect(data.user!.user_metadata).toEqual({ must_change: false });
  });
});

test('a failed sign-in has the same duration and limits for known and unknown e-mail addresses', async () => {
  const ana = await hired(embedded);
  derived.length = 0;
  const known = await guess(embedded, ana.email);
  const work = derived.splice(0);
  const unknown = await guess(embedded, 'nobody@example.com');
  expect(work).toEqual([{ salt: 16, cost: expect.objectContaining({ N: 32_768, r: 8 }) }]);
  expect(derived).toEqual(work);
  expect(unknown.status).toBe(known.status);
  expect(await unknown.text()).toBe(await known.text());
  const headersOf = ({ headers }: Response) => [...headers].filter(([name]) => name !== 'date');
  expect(headersOf(unknown)).toEqual(headersOf(known));
  for (const email of [ana.email, 'nobody@example.com']) {
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await guess(embedded, email)).status));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([400, 400, 400, 400, 429]);
  }
});

test('fifty failed sign-ins from an IP address do not block other IP addresses', async () => {
  const [ana, beto] = [await hired(embedded), await hired(embedded, 'Beto')];
  const home = '198.51.100.7';
  await signedIn(embedded, beto, { address: home });
  const guessed = await Promise.all(Array.from({ length: 50 }, () => guess(embedded, ana.email)));
  expect(guessed.filter(({ status }) => status === 400)).toHaveLength(5);
  expect(guessed.filter(({ status }) => status === 429)).toHaveLength(45);
  await signedIn(embedded, ana, { address: home });
  await signedIn(embedded, beto, { address: home });
  await signedIn(embedded, beto, { address: '192.0.2.1' });
  const there = await guess(embedded, ana.email, '192.0.2.1', ana.password);
  expect(there.status).toBe(429);
  expect(Number(there.headers.get('retry-after'))).toBeGreaterThan(800);
  embedded.ahead = 15 * MINUTE + 1000;
  await signedIn(embedded, ana, { address: '192.0.2.1' });
});

test('wrong passwords from many IP addresses block a sign-in, but not from the owner’s IP address', async () => {
  embedded.restart({ LIMIT_WRONG_PASSWORDS_PER_ACCOUNT: '10' });
  const [ana, beto] = [await hired(embedded), await hired(embedded, 'Beto')];
  const home = '198.51.100.7';
  const { session } = await signedIn(embedded, ana, { address: home });
  for (let place = 0; place < 10; place += 1)
    expect((await guess(embedded, ana.email, `203.0.113.${place}`)).status).toBe(400);
  expect((await guess(embedded, ana.email, '203.0.113.99', ana.password)).status).toBe(429);
  await signedIn(embedded, ana, { address: home });
  await signedIn(embedded, beto, { address: '203.0.113.99' });
  expect((await refresh(embedded, session.refresh_token)).status).toBe(200);
  // Ana’s session was refreshed from 192.0.2.1, so that IP address also counts as hers.
  expect((await guess(embedded, ana.email, '192.0.2.1', ana.password)).status).toBe(200);
});

test('the owner’s sign-in does not reset the limit for other IP addresses', async () => {
  const ana = await hired(embedded);
  for (let time = 0; time < 4; time += 1) await guess(embedded, ana.email);
  await signedIn(embedded, ana);
  expect((await guess(embedded, ana.email)).status).toBe(400);
  expect((await guess(embedded, ana.email)).status).toBe(429);
});

describe('a stranger at the sign-in', () => {
  const PASSWORD = 'token?grant_type=password';
  const REFRESH = 'token?grant_type=refresh_token';
  const GET = { method: 'GET' };
  const email = 'x@example.com';
  const body = (given: unknown) => ({ body: given });

  test.each<[what: string, path: string, asked: Parameters<typeof ask>[2], status: number, code: string]>([
    ['without the public key', PASSWORD, { body: {}, headers: { apikey: '' } }, 401, 'no_authorization'],
    ['with the public key in the URL', 'user?apikey=x', { ...GET, headers: { apikey: '' } }, 401, 'no_authorization'],
    ['who signs up', 'signup', body({ email, password: 'x'.repeat(20) }), 404, 'unexpected_failure'],
    ['with an unsupported grant', 'token?grant_type=pkce', body({}), 400, 'invalid_credentials'],
    ['who signs in by OPTIONS', PASSWORD, { method: 'OPTIONS' }, 404, 'unexpected_failure'],
    ['with an empty request', PASSWORD, {}, 400, 'bad_json'],
    ['with incomplete JSON', PASSWORD, body('{"email":"x'), 400, 'bad_json'],
    ['with null as the body', PASSWORD, body('null'), 400, 'bad_json'],
    ['with a list as the body', PASSWORD, body('[1]'), 400, 'validation_failed'],
    ['with deeply nested JSON', PASSWORD, body('['.repeat(8000) + ']'.repeat(8000)), 400, 'validation_failed'],
    ['with a number as the e-mail', PASSWORD, body({ email: 1, password: {} }), 400, 'validation_failed'],
    ['with an empty password', PASSWORD, body({ email, password: '' }), 400, 'validation_failed'],
    ['with a form', PASSWORD, { body: 'email=x', headers: { 'content-type': 'text/plain' } }, 415, 'validation_failed'],
    ['with a giant body', PASSWORD, body({ email: 'x'.repeat(2_000_000) }), 413, 'validation_failed'],
    ['with a NUL in the name', PASSWORD, body({ email: 'x\u0000@a.mx', password: 'x' }), 400, 'invalid_credentials'],
    ['with a lone surrogate', PASSWORD, body('{"email":"\\ud800@a.mx","password":"x"}'), 400, 'invalid_credentials'],
    ['with a huge password', PASSWORD, body({ email, password: '\uFDFA'.repeat(5000) }), 400, 'invalid_credentials'],
    ['with a __proto__', PASSWORD, body('{"__proto__":{"email":"x@a.mx","password":"x"}}'), 400, 'validation_failed'],
    ['with a path that leads to the list of accounts', 'token/../admin/users', GET, 403, 'not_admin'],
    ['with two bearer tokens', 'user', { ...GET, token: 'a.b.c, Bearer d.e.f' }, 401, 'no_authorization'],
    ['with a made-up refresh token', REFRESH, body({ refresh_token: 'x' }), 400, 'refresh_token_not_found'],
    ['with a number as refresh token', REFRESH, body({ refresh_token: 1 }), 400, 'validation_failed'],
    ['without a session', 'user', GET, 401, 'no_authorization'],
    ['with the public key as a token', 'user', { ...GET, token: 'aeropuente-public' }, 401, 'no_authorization'],
    ['with a malformed token', 'user', { ...GET, token: 'a.b.c' }, 403, 'bad_jwt'],
    ['who signs out with an unknown scope', 'logout?scope=all', { token: 'a.b.c' }, 400, 'validation_failed'],
    ['who lists accounts', 'admin/users', GET, 403, 'not_admin'],
  ])('a stranger %s is refused, and the response is not cached', async (_, path, request, status, code) => {
    const refused = await ask(embedded, `/auth/v1/${path}`, request);
    expect([refused.status, ((await refused.json()) as { error_code: string }).error_code]).toEqual([status, code]);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect([...refused.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test('the access token of an ended session is refused', async () => {
    const { session } = await signedIn(embedded, await hired(embedded));
    const claims = decodeJwt(session.access_token);
    const sign = (changes: object, key: Uint8Array = embedded.secret) =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'HS256' }).sign(key);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${session.access_token.split('.')[1]}.`;
    const gate = createGate({ publishableKey: embedded.publicKey, secret: embedded.secret });
    const wrong = [gate.serviceKey(), sign({}, randomBytes(32)), sign({ aud: 'anon' })].concat(
      [{ session_id: undefined }, { session_id: randomUUID() }, { sub: randomUUID() }].map((changes) => sign(changes)),
    );
    for (const token of [none, ...(await Promise.all(wrong))])
      expect((await ask(embedded, '/auth/v1/user', { method: 'GET', token })).status).toBe(403);
  });

  test('a colleague’s access token does not open the administration of accounts', async () => {
    const { session } = await signedIn(embedded, await hired(embedded));
    const { access_token: token } = session;
    for (const headers of [{}, { apikey: token }])
      expect((await ask(embedded, '/auth/v1/admin/users', { method: 'GET', token, headers })).status).toBe(403);
  });

  test('a changed refresh token causes no database query, and ends no session', async () => {
    const { session } = await signedIn(embedded, await hired(embedded));
    const [id, counter, seal = ''] = session.refresh_token.split('.');
    const transaction = vi.spyOn(embedded.engine.database, 'transaction');
    const another = `${seal.startsWith('A') ? 'B' : 'A'}${seal.slice(1)}`;
    for (const token of [`${id}.1.${seal}`, `${id}.${counter}.${another}`, `${randomUUID()}.0.${seal}`, `${id}.0`])
      expect((await refresh(embedded, token)).error_code).toBe('refresh_token_not_found');
    expect(transaction).not.toHaveBeenCalled();
    transaction.mockRestore();
    expect((await refresh(embedded, session.refresh_token)).status).toBe(200);
  });

  test('an error of the database ends no session', async () => {
    const { auth, session, storage } = await signedIn(embedded, await hired(embedded));
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const transaction = vi.spyOn(embedded.engine.database, 'transaction');
    for (const [code, status] of Object.entries({ '57P03': 503, '53100': 503, XX000: 500 })) {
      transaction.mockRejectedValueOnce(Object.assign(new Error(`secret ${session.access_token}`), { code }));
      const refused = await ask(embedded, '/auth/v1/user', { method: 'GET', token: session.access_token });
      expect(refused.status).toBe(status);
      expect(await refused.text()).not.toContain('secret');
    }
    expect(errors.mock.calls.join()).not.toContain(session.access_token);
    vi.restoreAllMocks();
    expect([(await auth.getUser()).error, storage.has('desk')]).toEqual([null, true]);
  });
});

test('a sign-in fails if the password is changed while it is checked', async () => {
  const ana = await hired(embedded);
  const sessions = createSessions(embedded.engine.database, Date.now);
  const checked = (await sessions.accountOf(ana.email))!;
  await embedded.admin.updateUserById(ana.id, { password: 'another first password' });
  expect(await sessions.begin(checked)).toBe(undefined);
  const who = { account: checked, session: { session: randomUUID(), counter: 0, createdAt: new Date() } };
  expect(await sessions.changePassword(who, 'a hash')).toBe(undefined);
});

test('two hashes of the same password differ', async () => {
  const [one, other] = [await hashPassword('ñandú ñandú ñandú'), await hashPassword('ñandú ñandú ñandú')];
  expect(one).not.toBe(other);
  // Some keyboards send letters with accents in decomposed form (NFD).
  expect(await passwordFits('ñandú ñandú ñandú'.normalize('NFD'), one)).toBe(true);
  expect(await passwordFits('nandu nandu nandu', one)).toBe(false);
});

test('every response in this file matches Supabase Auth’s OpenAPI document', async ({ task }) => {
  const ana = await hired(embedded);
  const { data } = await embedded.admin.listUsers();
  expect(data.users.map(({ id }) => id)).toContain(ana.id);
  expect(embedded.document.findings).toEqual([]);
  // The list of called paths is complete only if all tests of this file ran.
  if (task.file.tasks.some((other) => other !== task && other.mode === 'run'))
    expect(embedded.document.unmet('others')).toEqual([]);
});
