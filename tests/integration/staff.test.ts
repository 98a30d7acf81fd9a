import { randomUUID } from 'node:crypto';
import { createClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import { findRunningServer } from '../../server/cli/running-server.ts';
import { codeOf, stepAt } from '../../server/auth/totp.ts';
import { readSettings } from '../../server/settings.ts';
import {
  askAuth,
  dataDirectory,
  hire,
  runProcess,
  runScript,
  send,
  serverOfFile,
  serving,
  startServer,
} from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const ANA = 'ana@ejemplo.mx';
const shared = serverOfFile();

const staff = (environment: Record<string, string>, ...parameters: string[]) =>
  runScript('staff', environment, parameters);

const passwordIn = (output: string) => /^Contraseña: (\S+)$/m.exec(output)?.[1] ?? '';

const clientOf = (address: string) =>
  createClient(address, 'aeropuente-public', {
    auth: { persistSession: false, autoRefreshToken: false, experimental: { recoveryCodes: true } },
  }).auth;

const signIn = (address: string, password: string, email = ANA) =>
  clientOf(address).signInWithPassword({ email, password });

const refresh = (address: string, refresh_token: string) => askAuth(address, 'refresh_token', { refresh_token });

test('`aeropuente staff` creates an account, lists it, sets a new password and removes it', async () => {
  const { dataDir: DATA_DIR, address } = shared;
  expect((await signIn(address, 'aeropuente')).error?.code).toBe('invalid_credentials');
  expect((await staff({ DATA_DIR }, 'list')).output).toContain('There is no account yet.');

  const { password: first } = await hire(DATA_DIR);
  expect(first).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/);
  const { data } = await signIn(address, first);
  expect(data.user).toMatchObject({
    app_metadata: { role: 'staff', name: 'Ana Ruiz' },
    user_metadata: { must_change: true },
  });
  await send(address, sampleQuote());
  const headers = { apikey: 'aeropuente-public', authorization: `Bearer ${data.session!.access_token}` };
  expect(await (await fetch(`${address}/rest/v1/quotes?select=id`, { headers })).json()).toHaveLength(1);

  expect((await runProcess('staff', { DATA_DIR }, ['list'])).output).toMatch(
    /^e-mail +name +role +second step +since +last sign-in\nana@ejemplo\.mx +Ana Ruiz +staff +- +\S+ +\S+ \S+\n$/,
  );
  const errors = `${ANA} has an account already: nothing was changed.\n`;
  expect(await staff({ DATA_DIR }, 'add', ANA.toUpperCase())).toEqual({ code: 1, output: '', errors });

  expect((await staff({ DATA_DIR }, 'supervisor', ANA)).output).toMatch(/^\S+ is a supervisor now/);
  expect((await staff({ DATA_DIR }, 'list')).output).toMatch(/Ana Ruiz +supervisor +/);
  expect((await signIn(address, first)).data.user).toMatchObject({ app_metadata: { supervisor: true } });
  expect((await staff({ DATA_DIR }, 'agent', ANA)).output).toMatch(/^\S+ is an agent now/);

  const second = passwordIn((await staff({ DATA_DIR }, 'password', ANA)).output);
  expect((await refresh(address, data.session!.refresh_token)).status).toBe(400);
  expect((await signIn(address, first)).error?.code).toBe('invalid_credentials');
  const again = await signIn(address, second);
  expect(again.data.user?.user_metadata).toMatchObject({ must_change: true });

  const output = `${ANA} has no account any more.\n`;
  expect(await staff({ DATA_DIR }, 'remove', ANA)).toEqual({ code: 0, output, errors: '' });
  expect((await refresh(address, again.data.session!.refresh_token)).status).toBe(400);
  expect((await signIn(address, second)).error?.code).toBe('invalid_credentials');
  expect((await staff({ DATA_DIR }, 'remove', ANA)).errors).toBe(`${ANA} has no account.\n`);

  const said = shared.server().output + shared.server().errors;
  expect(said).toMatch(/^\S+ POST \/auth\/v1\/token 400 invalid_credentials \d+ ms$/m);
  const { access_token, refresh_token } = data.session!;
  for (const word of [ANA, 'ejemplo', first, second, access_token, refresh_token, 'grant_type'])
    expect(said).not.toContain(word);
});

test('`aeropuente staff` removes a lost second step, and ends the sessions', async () => {
  const { dataDir: DATA_DIR, address } = shared;
  const eva = 'eva.perdida@ejemplo.mx';
  const password = passwordIn((await staff({ DATA_DIR }, 'add', eva, '--supervisor')).output);
  expect((await staff({ DATA_DIR }, 'factor', 'remove', eva)).output).toBe(`${eva} had no second step.\n`);
  const auth = clientOf(address);
  await auth.signInWithPassword({ email: eva, password });
  const { id, totp } = (await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'App' })).data!;
  const code = codeOf(totp.secret, stepAt(Date.now()));
  expect((await auth.mfa.challengeAndVerify({ factorId: id, code })).error).toBe(null);
  expect((await auth.mfa.recoveryCodes.generate()).data?.codes).toHaveLength(10);
  expect((await staff({ DATA_DIR }, 'list')).output).toMatch(/^eva\.perdida\S+ .* supervisor +yes +/m);
  expect((await staff({ DATA_DIR }, 'factor', 'remove', eva)).output).toMatch(/^\S+ has no second step any more/);
  expect((await auth.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect((await signIn(address, password, eva)).data.user?.factors).toBe(undefined);
  await staff({ DATA_DIR }, 'remove', eva);
});

test('`aeropuente staff` exits with 2 on unknown options', async () => {
  const errors = expect.stringContaining('Name an e-mail address, such as ana@ejemplo.mx.');
  expect(await staff({ DATA_DIR: '/nowhere' }, 'add')).toEqual({ code: 2, output: '', errors });
  const { output } = await staff({}, '--help');
  expect(output).toContain('aeropuente staff <action>');
  expect(output).toContain('Sessions end within 15 minutes; on a hosted project, within an hour.');
  const listed = (key: string) => staff({ SUPABASE_URL: 'http://localhost:9', SUPABASE_SECRET_KEY: key }, 'list');
  expect((await listed('')).errors).toContain('SUPABASE_SECRET_KEY');
  expect((await listed('wrong')).errors).toContain('The accounts could not be read: ');
});

test('`aeropuente staff` manages the accounts of a hosted project', async () => {
  const { address, key } = await findRunningServer(readSettings({ DATA_DIR: shared.dataDir }));
  const hosted = { SUPABASE_URL: address, SUPABASE_SECRET_KEY: key, DATA_DIR: '/nowhere' };
  const eva = 'eva@ejemplo.mx';
  const password = passwordIn((await staff(hosted, 'add', eva)).output);
  const { data } = await signIn(address, password, eva);
  expect(data.user).toMatchObject({ app_metadata: { role: 'staff', name: 'eva' } });
  expect((await staff(hosted, 'list')).output).toContain(eva);
  expect(passwordIn((await staff(hosted, 'password', eva)).output)).not.toBe(password);
  expect((await signIn(address, password, eva)).error?.code).toBe('invalid_credentials');
  expect((await staff(hosted, 'remove', eva)).code).toBe(0);
});

/** Starts a substitute for a hosted project with these accounts. Requests that match `fails` get 500. */
async function projectWith(users: readonly object[], fails: (asked: string) => boolean = () => false) {
  const asked: string[] = [];
  const project = await serving(async (incoming, outgoing) => {
    const page = new URL(incoming.url!, 'http://localhost').searchParams.get('page');
    const said = `${incoming.method} ${incoming.url} ${Buffer.concat(await incoming.toArray()).toString()}`.trim();
    if (incoming.method !== 'GET') asked.push(said);
    const answer = incoming.method === 'GET' ? { users: page === '1' ? users : [], aud: 'authenticated' } : users[0];
    outgoing.statusCode = fails(said) ? 500 : 200;
    outgoing
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(fails(said) ? { message: 'out of memory' } : answer));
  });
  return { hosted: { SUPABASE_URL: project, SUPABASE_SECRET_KEY: 'key' }, asked };
}

test('`aeropuente staff remove` stores that the colleague has left before it removes the account', async () => {
  const id = randomUUID();
  let isBroken = true;
  const account = { id, email: ANA, app_metadata: { role: 'staff' }, created_at: '2026-11-22T08:00:00Z' };
  const { hosted, asked } = await projectWith([account], (said) => isBroken && said.includes('staff_signs'));
  expect(await staff(hosted, 'remove', ANA)).toEqual({
    code: 1,
    output: '',
    errors: `Nothing was removed: the desk could not be told that ${ANA} leaves (out of memory).\n`,
  });
  isBroken = false;
  expect(await staff(hosted, 'remove', ANA)).toMatchObject({ code: 0, errors: '' });
  expect(asked).toEqual([
    ...Array(2).fill(`POST /rest/v1/staff_signs {"kind":"baja","staff":"${id}"}`),
    `DELETE /auth/v1/admin/users/${id} {"should_soft_delete":false}`,
  ]);
});

test('`aeropuente staff grant` gives a hosted account the role `staff`', async () => {
  const users = [
    { id: randomUUID(), email: ANA, app_metadata: { provider: 'email' }, user_metadata: { role: 'staff' } },
    { id: randomUUID(), email: 'x@ejemplo.mx', app_metadata: { name: '\u001b[2J\u202e' }, user_metadata: {} },
  ].map((user) => ({ ...user, created_at: '2026-11-22T08:00:00Z' }));
  const { hosted, asked } = await projectWith(users);
  expect(await staff(hosted, 'grant', ANA)).toEqual({ code: 0, output: `${ANA} is staff now.\n`, errors: '' });
  expect(asked).toEqual([`PUT /auth/v1/admin/users/${users[0]!.id} {"app_metadata":{"role":"staff"}}`]);
  const { output } = await staff(hosted, 'list');
  expect(output).toMatch(/^ana@ejemplo\.mx +- +- +2026-11-22 +never$/m);
  for (const character of ['\u001b', '\u202e']) expect(output).not.toContain(character);
});

test('a session is still valid if the server is killed during its refresh', async () => {
  const DATA_DIR = await dataDirectory();
  const { server, address } = await startServer(DATA_DIR);
  const { data } = await signIn(address, (await hire(DATA_DIR)).password);
  const token = data.session!.refresh_token;
  const lost = refresh(address, token).catch(() => 'lost');
  await server.end('SIGKILL');
  expect(await lost).toBe('lost');
  const started = await startServer(DATA_DIR);
  const again = await refresh(started.address, token);
  expect(again.status).toBe(200);
  const { refresh_token: next } = (await again.json()) as { refresh_token: string };
  expect((await refresh(started.address, next)).status).toBe(200);
});

test('a flood of sign-ins by strangers does not stop colleagues or quotes', async () => {
  const { address, dataDir } = shared;
  const { password } = await hire(dataDir);
  // The proxy is not declared, so all strangers have the same, unknown IP address.
  const headers = { 'x-forwarded-for': '203.0.113.7', apikey: 'aeropuente-public', 'content-type': 'application/json' };
  let ended = false;
  const flood = Array.from({ length: 100 }, async (_, name) => {
    const body = JSON.stringify({ email: `u${name}@ejemplo.mx`, password: 'wrong wrong wrong' });
    const { status } = await fetch(`${address}/auth/v1/token?grant_type=password`, { method: 'POST', headers, body });
    return status;
  });
  const all = Promise.all(flood).finally(() => (ended = true));
  expect((await send(address, sampleQuote())).status).toBe(201);
  expect((await fetch(address)).status).toBe(200);
  expect(ended).toBe(false);
  const statuses = await all;
  expect(new Set(statuses)).toEqual(new Set([400, 429]));
  expect(statuses.filter((status) => status === 400).length).toBeLessThan(75);
  expect((await signIn(address, password)).error).toBe(null);
});
