import { decodeJwt } from 'jose';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { askAsOwner } from './callers.ts';
import { softwareKey } from './software-key.ts';
import { ask, embeddedSide, enrolled, hired, refresh, signedIn, type Tab } from './signing-in.ts';

const side = await embeddedSide();
afterAll(() => side.close());
beforeEach(() => side.restart());

const MINUTE = 60_000;
const levelOf = (token: string) => {
  const { aal, amr } = decodeJwt(token) as { aal: string; amr: readonly { method: string }[] };
  return [aal, ...amr.map(({ method }) => method)];
};
const tokenOf = async ({ auth }: Tab) => (await auth.getSession()).data.session!.access_token;
/** Returns the code of an error. auth-js gives no code for an ended session; the name of the error is returned then. */
const codeOf = ({ error }: { error: { name: string; code?: string | undefined } | null }) =>
  error ? (error.code ?? error.name) : undefined;
const ENDED = 'AuthSessionMissingError';
const NOBODY = '00000000-0000-0000-0000-000000000000';

test('a one-time code gives level aal2 only to the session that sent the code', async () => {
  const ana = await hired(side);
  const tab = await signedIn(side, ana);
  expect(levelOf(tab.session.access_token)).toEqual(['aal1', 'password']);
  const app = await enrolled(tab);
  expect(levelOf(await tokenOf(tab))).toEqual(['aal2', 'totp', 'password']);
  expect((await tab.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ nextLevel: 'aal2' });
  expect((await tab.auth.mfa.listFactors()).data?.totp).toMatchObject([{ id: app.id, friendly_name: 'App' }]);
  await tab.auth.refreshSession();
  expect(levelOf(await tokenOf(tab))).toEqual(['aal2', 'totp', 'password']);

  const next = await signedIn(side, ana);
  expect(levelOf(next.session.access_token)).toEqual(['aal1', 'password']);
  expect(next.session.user.factors).toMatchObject([{ status: 'verified', factor_type: 'totp' }]);
  expect(codeOf(await next.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.code() }))).toBe(undefined);
  expect(levelOf(await tokenOf(next))[0]).toBe('aal2');
  // A verified second factor ends the account’s other sessions below level aal2. The first session has aal2, so it is
  // still valid.
  expect((await tab.auth.getUser()).error).toBe(null);
});

test('a one-time code is accepted only once', async () => {
  const ana = await hired(side);
  const app = await enrolled(await signedIn(side, ana));
  const [one, two] = [await signedIn(side, ana), await signedIn(side, ana)];
  const use = (tab: Tab, code: string) => tab.auth.mfa.challengeAndVerify({ factorId: app.id, code });
  const both = await Promise.all([use(one, app.code()), use(two, app.code())]);
  expect(both.filter(({ error }) => error === null)).toHaveLength(1);
  const third = await signedIn(side, ana);
  for (const steps of [-1, 0]) expect(codeOf(await use(third, app.code(steps)))).toBe('mfa_verification_failed');
  expect(codeOf(await use(third, app.code(1)))).toBe(undefined);
});

test('a challenge for a code is valid once, for five minutes and for one factor', async () => {
  const ana = await hired(side);
  const tab = await signedIn(side, ana);
  const app = await enrolled(tab);
  const { data } = await tab.auth.mfa.challenge({ factorId: app.id });
  const verify = (code: string) => tab.auth.mfa.verify({ factorId: app.id, challengeId: data!.id, code });
  expect(codeOf(await verify(app.code()))).toBe(undefined);
  expect(codeOf(await verify(app.code(1)))).toBe('mfa_factor_not_found');
  const late = await tab.auth.mfa.challenge({ factorId: app.id });
  const other = await enrolled(tab, 'Other');
  const foreign = { factorId: other.id, challengeId: late.data!.id, code: other.code() };
  expect(codeOf(await tab.auth.mfa.verify(foreign))).toBe('mfa_factor_not_found');
  side.ahead = 6 * MINUTE;
  const verifyLate = { factorId: app.id, challengeId: late.data!.id, code: '000000' };
  expect(codeOf(await tab.auth.mfa.verify(verifyLate))).toBe('mfa_challenge_expired');
});

test('an authenticator app that was not confirmed is not needed at sign-in', async () => {
  const ana = await hired(side);
  const tab = await signedIn(side, ana);
  const enrol = () => tab.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' });
  expect(codeOf(await enrol())).toBe(undefined);
  expect((await tab.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({ nextLevel: 'aal1' });
  expect(codeOf(await enrol())).toBe('mfa_factor_name_conflict');
  side.ahead = 6 * MINUTE;
  expect(codeOf(await enrol())).toBe(undefined);
});

test('factors without a name are numbered, and the app shows the name of the site', async () => {
  const { auth } = await signedIn(side, await hired(side));
  for (const friendly_name of ['totp 1', 'totp 2']) {
    const { data } = await auth.mfa.enroll({ factorType: 'totp' });
    expect(data).toMatchObject({ friendly_name });
    expect(data!.totp.uri).toContain('issuer=AeroPuente');
  }
});

test('ten recovery codes are shown once, and stored only as hashes', async () => {
  const ana = await hired(side);
  const tab = await signedIn(side, ana);
  await enrolled(tab);
  const { codes, friendly_name } = (await tab.auth.mfa.recoveryCodes.generate({ friendlyName: 'De Ana' })).data!;
  expect(friendly_name).toBe('De Ana');
  expect(new Set(codes).size).toBe(10);
  const stored = await askAsOwner(side.engine, 'select * from private_auth.factors');
  for (const code of codes) expect(JSON.stringify(stored)).not.toContain(code);
  expect(codeOf(await tab.auth.mfa.recoveryCodes.generate())).toBe('mfa_verified_factor_exists');

  const lost = await signedIn(side, ana);
  const typed = ` ${codes[3]!.toUpperCase().replaceAll(/(.{4})(?=.)/g, '$1-')} `;
  const both = await Promise.all([1, 2].map(() => lost.auth.mfa.recoveryCodes.verify({ code: typed })));
  expect(both.map(codeOf)).toEqual(expect.arrayContaining(['mfa_verification_failed', undefined]));
  expect(levelOf(await tokenOf(lost))).toEqual(['aal2', 'mfa/recovery_code', 'password']);
  expect((await lost.auth.mfa.recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 });

  const fresh = (await lost.auth.mfa.recoveryCodes.regenerate()).data!.codes;
  const third = await signedIn(side, ana);
  expect(codeOf(await third.auth.mfa.recoveryCodes.verify({ code: codes[0]! }))).toBe('mfa_verification_failed');
  expect(codeOf(await third.auth.mfa.recoveryCodes.verify({ code: fresh[0]! }))).toBe(undefined);
  expect(codeOf(await third.auth.mfa.recoveryCodes.unenroll())).toBe(undefined);
  expect(codeOf(await third.auth.mfa.recoveryCodes.getStatus())).toBe('mfa_factor_not_found');
});

test('recovery codes are deleted when the account’s last other factor is removed', async () => {
  const ana = await hired(side);
  const tab = await signedIn(side, ana);
  expect(codeOf(await tab.auth.mfa.recoveryCodes.generate())).toBe('insufficient_aal');
  expect(codeOf(await tab.auth.mfa.recoveryCodes.getStatus())).toBe('mfa_factor_not_found');
  const app = await enrolled(tab);
  await tab.auth.mfa.recoveryCodes.generate();
  const weak = await signedIn(side, ana);
  expect(codeOf(await weak.auth.mfa.recoveryCodes.regenerate())).toBe('insufficient_aal');
  expect(codeOf(await tab.auth.mfa.unenroll({ factorId: app.id }))).toBe(undefined);
  expect((await tab.auth.getUser()).data.user?.factors).toBe(undefined);
  await tab.auth.refreshSession();
  expect(levelOf(await tokenOf(tab))).toEqual(['aal1', 'password']);
});

describe('a passkey as a factor', () => {
  const site = () => side.url.replace('127.0.0.1', 'localhost');
  /** Returns a function that sends requests as the desk’s browser does. */
  const asker =
    (token: string, origin = side.url) =>
    async (path: string, body: object) => {
      const answer = await ask(side, `/auth/v1/factors${path}`, { body, token, headers: { origin } });
      return { status: answer.status, ...((await answer.json()) as Answer) };
    };
  interface Answer {
    readonly id: string;
    readonly error_code?: string;
    readonly access_token?: string;
    readonly webauthn?: { readonly type: string; readonly credential_options: { readonly publicKey: Asked } };
  }
  type Asked = Parameters<ReturnType<typeof softwareKey>['create']>[0];
  type Response = ReturnType<ReturnType<typeof softwareKey>['create']>;

  async function challenged(send: ReturnType<typeof asker>, factor: string) {
    const { id, webauthn } = await send(`/${factor}/challenge`, {});
    const { type, credential_options: options } = webauthn!;
    const verify = (credential_response: Response) =>
      send(`/${factor}/verify`, { challenge_id: id, webauthn: { type, credential_response } });
    return { options: options.publicKey, type, verify };
  }

  async function keyOf(token: string) {
    const send = asker(token);
    return { send, id: (await send('', { factor_type: 'webauthn', friendly_name: 'Key' })).id };
  }

  async function withKey() {
    const ana = await hired(side);
    const { session } = await signedIn(side, ana);
    const { send, id } = await keyOf(session.access_token);
    const key = softwareKey(side.url);
    const { options, type, verify } = await challenged(send, id);
    expect(type).toBe('create');
    const added = await verify(key.create(options));
    return { ana, id, key, added };
  }

  test('a security key raises a session to level aal2, each time with a new challenge', async () => {
    const { ana, id, key, added } = await withKey();
    expect(levelOf(added.access_token!)).toEqual(['aal2', 'mfa/webauthn', 'password']);
    const { session } = await signedIn(side, ana);
    const send = asker(session.access_token);
    const first = await challenged(send, id);
    const response = key.use(first.options);
    const passed = await first.verify(response);
    expect(levelOf(passed.access_token!)).toEqual(['aal2', 'mfa/webauthn', 'password']);
    expect((await first.verify(response)).error_code).toBe('mfa_factor_not_found');
    const next = await challenged(send, id);
    expect((await next.verify(response)).error_code).toBe('mfa_verification_failed');
  });

  test('a response of a security key for another site or account is refused', async () => {
    const { ana, id, key } = await withKey();
    const { session } = await signedIn(side, ana);
    const attempt = async (use: (options: Asked) => Response, origin?: string) => {
      side.restart();
      const { options, verify } = await challenged(asker(session.access_token, origin), id);
      return (await verify(use(options))).error_code;
    };
    const evil = 'https://aeropuente.evil.example';
    const changes = [
      { origin: evil },
      { origin: site() },
      { rpId: 'evil.example' },
      { challenge: 'AAAA' },
      { counter: 1 },
    ];
    for (const use of [
      ...changes.map((change) => (options: Asked) => key.use(options, change)),
      (options: Asked) => softwareKey(side.url).use(options),
      (options: Asked) => ({ ...key.use(options), response: {} }),
    ])
      expect(await attempt(use)).toBe('mfa_verification_failed');
    // A passkey is valid only on the site where it was added, even if a proxy names another site.
    expect(await attempt((options) => key.use(options, { origin: evil }), evil)).toBe('mfa_verification_failed');
    expect(await attempt((options) => key.use(options))).toBe(undefined);
  });

  test('a security key cannot be added without a response', async () => {
    const { session } = await signedIn(side, await hired(side));
    const send = asker(session.access_token);
    const { id } = await send('', { factor_type: 'webauthn' });
    const { id: challenge_id } = await send(`/${id}/challenge`, {});
    for (const credential_response of [undefined, null, 'a text']) {
      const answer = await send(`/${id}/verify`, { challenge_id, webauthn: { credential_response } });
      expect(answer).toMatchObject({ status: 400, error_code: 'validation_failed' });
    }
  });

  test('a security key cannot be added for another site', async () => {
    const { session } = await signedIn(side, await hired(side));
    const { send, id } = await keyOf(session.access_token);
    const evil = asker(session.access_token, 'https://evil.example');
    expect(await evil(`/${id}/challenge`, {})).toMatchObject({ status: 400, error_code: 'validation_failed' });
    const { options, verify } = await challenged(send, id);
    const created = softwareKey('https://evil.example').create(options);
    expect((await verify(created)).error_code).toBe('mfa_verification_failed');
  });
});

test('a refresh token stolen before the second factor never gets level aal2', async () => {
  const ana = await hired(side);
  const app = await enrolled(await signedIn(side, ana));
  const tab = await signedIn(side, ana);
  const stolen = tab.session.refresh_token;
  await tab.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.code() });
  expect((await refresh(side, stolen)).error_code).toBe('refresh_token_already_used');
  expect(codeOf(await tab.auth.getUser())).toBe(ENDED);
});

test('a session without its second factor has no rights', async () => {
  const eva = await hired(side, 'Eva', { supervisor: true });
  const rights = async ({ client }: Tab) => {
    const { data } = await client.from('desk_reach').select('name');
    const act = { kind: 'exporte', leads: '{}', what: 'open' };
    return { reads: data!.length > 0, acts: (await client.from('desk_acts').insert(act)).error === null };
  };
  const first = await signedIn(side, eva);
  expect((await first.client.from('staff_signs').insert({ kind: 'estoy' })).error).toBe(null);
  expect(await rights(first)).toEqual({ reads: true, acts: false });
  const app = await enrolled(first);
  expect(await rights(first)).toEqual({ reads: true, acts: true });
  const thief = await signedIn(side, eva);
  expect(await rights(thief)).toEqual({ reads: false, acts: false });
  await first.auth.mfa.unenroll({ factorId: app.id });
  await first.auth.refreshSession();
  expect(await rights(first)).toEqual({ reads: true, acts: false });
  const demo = await hired(side, 'Demo', { supervisor: true, second_factor: 'optional' });
  expect(await rights(await signedIn(side, demo))).toEqual({ reads: true, acts: true });
});

test('a session without its second factor cannot change factors or password', async () => {
  const ana = await hired(side);
  const app = await enrolled(await signedIn(side, ana));
  const thief = await signedIn(side, ana);
  expect(codeOf(await thief.auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Mine' }))).toBe('insufficient_aal');
  expect(codeOf(await thief.auth.mfa.unenroll({ factorId: app.id }))).toBe('insufficient_aal');
  const password = 'una contraseña propia';
  expect(codeOf(await thief.auth.updateUser({ password, current_password: ana.password }))).toBe('insufficient_aal');
  await thief.auth.refreshSession();
  expect(levelOf(await tokenOf(thief))).toEqual(['aal1', 'password']);
});

test('the first confirmed factor ends all sessions that were opened with the password alone', async () => {
  const ana = await hired(side);
  const thief = await signedIn(side, ana);
  await enrolled(await signedIn(side, ana));
  expect(codeOf(await thief.auth.getUser())).toBe(ENDED);
  expect((await refresh(side, thief.session.refresh_token)).error_code).toBe('refresh_token_not_found');
});

test('a colleague cannot use or remove another colleague’s factor', async () => {
  const [ana, beto] = [await hired(side), await hired(side, 'Beto')];
  const anaTab = await signedIn(side, ana);
  const app = await enrolled(anaTab);
  const { data } = await anaTab.auth.mfa.challenge({ factorId: app.id });
  const tab = await signedIn(side, beto);
  const own = await enrolled(tab);
  const challengeId = data!.id;
  expect(codeOf(await tab.auth.mfa.challenge({ factorId: app.id }))).toBe('mfa_factor_not_found');
  for (const factorId of [app.id, own.id])
    expect(codeOf(await tab.auth.mfa.verify({ factorId, challengeId, code: app.code() }))).toBe('mfa_factor_not_found');
  expect(codeOf(await tab.auth.mfa.unenroll({ factorId: app.id }))).toBe('mfa_factor_not_found');
  expect((await anaTab.auth.mfa.listFactors()).data?.totp).toHaveLength(1);
});

test('five wrong codes block a sixth from the same IP address, but not the owner elsewhere', async () => {
  const ana = await hired(side);
  const home = await signedIn(side, ana, { address: '198.51.100.7' });
  const app = await enrolled(home);
  const thief = await signedIn(side, ana);
  const guess = (code: string) => thief.auth.mfa.challengeAndVerify({ factorId: app.id, code });
  for (let time = 0; time < 3; time += 1) expect(codeOf(await guess('000000'))).toBe('mfa_verification_failed');
  for (let time = 0; time < 2; time += 1)
    expect(codeOf(await thief.auth.mfa.recoveryCodes.verify({ code: 'x' }))).toBe('mfa_verification_failed');
  expect((await guess(app.code())).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  expect(codeOf(await home.auth.mfa.challengeAndVerify({ factorId: app.id, code: app.code() }))).toBe(undefined);
});

test.each<[what: string, path: string, asked: Parameters<typeof ask>[2], status: number, code: string]>([
  ['of another type', '', { body: { factor_type: 'phone', phone: '+526645550175' } }, 400, 'validation_failed'],
  ['without a body', '', {}, 400, 'validation_failed'],
  ['by GET', '', { method: 'GET' }, 404, 'unexpected_failure'],
  ['with a malformed id', '/1/challenge', { body: {} }, 404, 'unexpected_failure'],
  ['that does not exist', `/${NOBODY}/verify`, { body: {} }, 404, 'mfa_factor_not_found'],
  ['with a number as recovery code', '/recovery-codes/verify', { body: { code: 7 } }, 400, 'validation_failed'],
])('a request about a factor %s is refused', async (_, path, asked, status, code) => {
  const { session } = await signedIn(side, await hired(side));
  const answer = await ask(side, `/auth/v1/factors${path}`, { ...asked, token: session.access_token });
  expect([answer.status, ((await answer.json()) as { error_code: string }).error_code]).toEqual([status, code]);
  expect((await ask(side, `/auth/v1/factors${path}`, asked)).status).toBe(401);
});

test('the operator can remove a colleague’s factors, which ends all sessions in the same transaction', async () => {
  const ana = await hired(side);
  const tab = await signedIn(side, ana);
  const app = await enrolled(tab);
  expect((await side.admin.mfa.listFactors({ userId: ana.id })).data?.factors).toMatchObject([{ id: app.id }]);
  const transaction = vi.spyOn(side.engine.database, 'transaction');
  expect((await side.admin.mfa.deleteFactor({ userId: ana.id, id: app.id })).error).toBe(null);
  expect(transaction.mock.calls.filter(([, options]) => options?.access === 'write')).toHaveLength(1);
  expect(codeOf(await tab.auth.getUser())).toBe(ENDED);
  expect(levelOf((await signedIn(side, ana)).session.access_token)).toEqual(['aal1', 'password']);
});

test('every response in this file matches Supabase Auth’s OpenAPI document', ({ task }) => {
  expect(side.document.findings).toEqual([]);
  if (task.file.tasks.some((other) => other !== task && other.mode === 'run'))
    expect(side.document.unmet('factors')).toEqual([]);
});
