import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WebHandler } from '../../server/http.ts';
import { runProcess } from '../integration/processes.ts';
import { sampleQuote } from '../integration/sample-quote.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { CERTIFICATE, PushService } from '../push/service.ts';
import { scratchFolder } from '../scratch.ts';
import { ANA, BETO } from './both.ts';
import { sign } from './gateway.ts';
import { ACCESS_TOKEN, createPlatform, doWhatIsQueued, listen, REF, type Platform } from './platform.ts';
import { SUPABASE, whyNotHosted } from './programs.ts';
import { startProject, type Project } from './project.ts';

// Sets up alerts in an empty hosted project with `aeropuente hosted setup` and the Supabase CLI. Then the tests break
// one step of the delivery of alerts at a time, and `aeropuente alerts` must name that step.

const SECRETS = { url: 'only-for-this-test', mail: "it's a secret" };

describe.skipIf(whyNotHosted())('alerts of a hosted project', () => {
  let project: Project;
  let platform: Platform;
  let pushes: PushService;
  let environment: Record<string, string>;

  beforeAll(async () => {
    pushes = await PushService.start();
    const users: WebHandler = async () => Response.json({ users: [{ id: ANA, email: 'ana@aeropuente.mx' }] });
    let address = '';
    platform = createPlatform(() => ({
      SUPABASE_URL: address,
      SUPABASE_SECRET_KEYS: JSON.stringify({ default: project.keys.secret }),
      NODE_EXTRA_CA_CERTS: CERTIFICATE,
    }));
    project = await startProject({
      isEmpty: true,
      others: { '/functions/v1/': platform.functions, '/auth/v1/admin/users': users },
    });
    const gateway = await listen(project.answer);
    ({ address } = gateway);
    const management = await listen(platform.management);
    const queue = doWhatIsQueued(project.connection);
    const home = await mkdtemp(path.join(scratchFolder(), 'aeropuente-cli-'));
    await writeFile(
      path.join(home, 'profile.yaml'),
      `name: test\napi_url: ${management.address.replace('localhost', '127.0.0.1')}\ndashboard_url: ${management.address}\nproject_host: supabase.test\n`,
    );
    environment = {
      HOME: home,
      PATH: `${path.dirname(SUPABASE)}:${process.env['PATH']}`,
      DO_NOT_TRACK: '1',
      CI: '1',
      SUPABASE_PROFILE: path.join(home, 'profile.yaml'),
      SUPABASE_PROJECT_REF: REF,
      SUPABASE_ACCESS_TOKEN: ACCESS_TOKEN,
      SUPABASE_DB_URL: project.databaseUrl,
      SUPABASE_SECRET_KEY: project.keys.secret,
      VITE_SUPABASE_URL: address,
      VITE_SITE_URL: 'https://carga.example',
      PUSH_SERVICES: pushes.host,
      SMTP_URL: `smtp://ana:${encodeURIComponent(SECRETS.mail)}@127.0.0.1:1`,
      ALERT_MAIL: 'mesa@carga.example',
    };
    return async () => {
      await queue.stop();
      await platform.stop();
      for (const { server } of [gateway, management]) server.close();
      await project.close();
      await pushes.stop();
      await rm(home, { recursive: true, force: true });
    };
  });
  beforeEach(() => {
    pushes.answers = () => ({ status: 201 });
    pushes.pushed.length = 0;
  });

  async function command(script: 'hosted' | 'alerts', parameters: string[], more: Record<string, string> = {}) {
    const ended = await runProcess(script, { ...environment, ...more }, parameters);
    const { code, output } = { ...ended, output: ended.output + ended.errors };
    const own = [ACCESS_TOKEN, project.keys.secret, platform.secrets.get('ALERTS_KEY') ?? ACCESS_TOKEN];
    for (const secret of [...own, ...Object.values(SECRETS)]) expect(output).not.toContain(secret);
    return { code, output };
  }
  const set = (more?: Record<string, string>) => command('hosted', ['setup'], more);
  /** Runs `aeropuente alerts test`. `wait` is the time limit of each step in seconds. */
  const rehearse = (wait = '5') => command('alerts', ['test', '--to', 'ana@aeropuente.mx', '--wait', wait]);

  async function subscribe(staff: string, name: string) {
    const token = await sign(
      { role: 'authenticated', sub: staff, app_metadata: { role: 'staff' } },
      project.keys.signedWith,
    );
    await insert('push_devices', pushes.subscribe(name), { authorization: `Bearer ${token}` });
  }
  async function insert(table: string, row: object, more: Record<string, string> = {}) {
    const headers = { apikey: project.keys.publishable, 'content-type': 'application/json', ...more };
    const request = { method: 'POST', headers, body: JSON.stringify(row) };
    const response = await project.answer(new Request(`http://localhost/rest/v1/${table}`, request), '203.0.113.9');
    expect(response.status).toBe(201);
  }
  const titles = (device: string) =>
    pushes.pushed.filter((each) => each.device === device).map(({ payload }) => payload.notification['title']);

  test('the set-up stops if the database password is wrong, and does not print the password', async () => {
    const wrong = project.databaseUrl.replace('only-for-this-test', 'not-the-password');
    const { code, output } = await set({ SUPABASE_DB_URL: wrong });
    expect(code).toBe(1);
    expect(output).toContain('1. Database FAILED.');
    expect(output).toContain('Is SUPABASE_DB_URL right, its password too?');
    expect(output).not.toContain('not-the-password');
  });

  test('a single command sets up alerts on a hosted project, and sends a test alert', async () => {
    const { code, output } = await set();
    expect(code, output).toBe(0);
    expect(output).toMatch(/^1\. Database: \d+ migrations? w(as|ere) applied\.$/m);
    const names = 'ALERTS_KEY, ALERT_MAIL, PUSH_SERVICES, SMTP_URL, VITE_SITE_URL';
    expect(output).toContain(`3. Secrets: the function has ${names}.`);
    expect(output).toContain('2. Function: alert is deployed.');
    expect(output).toContain('5. Retention: nothing is erased by itself (RETENTION_MONTHS is 0).');
    expect(output).toContain('   2. The function looked for alerts.\n   3. Messages of the alert: 0.');
    expect(platform.secrets.get('SMTP_URL')).toBe(environment['SMTP_URL']);
    expect(await project.ask('select from public.alert_tests')).toEqual([]);
  });

  test('a second set-up replaces the alert key, and schedules blocking and erasing after RETENTION_MONTHS', async () => {
    const key = platform.secrets.get('ALERTS_KEY');
    const { code, output } = await set({ RETENTION_MONTHS: '24' });
    expect(code, output).toBe(0);
    expect(output).toContain('1. Database: it was up to date.');
    expect(output).toContain(
      '5. Retention: after 24 months without activity quotes are blocked; three later they are erased.',
    );
    expect(platform.secrets.get('ALERTS_KEY')).not.toBe(key);
    expect(await project.ask('select name from vault.secrets order by name')).toEqual([
      { name: 'alert_function' },
      { name: 'alerts_key' },
    ]);
    const [old, fresh] = [sampleQuote(), sampleQuote()];
    for (const quote of [old, fresh]) await insert('quotes', quote);
    await project.run(`alter table public.quote_events disable trigger user;
      update public.quote_events set at = at - interval '25 months' where quote_id = '${old.id}';
      alter table public.quote_events enable trigger user`);
    const blocked = () => project.ask('select quote_id from public.quote_desk where blocked_at is not null');
    await expect.poll(blocked, { timeout: 20_000 }).toEqual([{ quote_id: old.id }]);
    await project.run('update public.quote_desk set blocked_at = now(); delete from public.quotes');
    // A set-up without RETENTION_MONTHS schedules no blocking of inactive quotes.
    expect((await set()).code).toBe(0);
    const jobs = await project.ask<{ command: string }>('select command from cron.job');
    expect(jobs.map((job) => job.command)).toEqual(['select private.keep_calling_for_alerts()']);
  });

  test('a new lead alerts the devices of all colleagues', async () => {
    await subscribe(ANA, 'ana');
    await subscribe(BETO, 'beto');
    const quote = sampleQuote();
    await insert('quotes', quote);
    await expect.poll(() => titles('ana'), { timeout: 20_000 }).toEqual([`Solicitud nueva ${folioOf(quote.id)}`]);
    const { code, output } = await rehearse();
    expect(code, output).toBe(0);
    expect(output.split('\n').slice(0, 4)).toEqual([
      '1. A test was stored, with its alert.',
      '2. The function looked for alerts.',
      '3. Messages of the alert: 1.',
      `4. ${pushes.host}: accepted (201).`,
    ]);
    expect([titles('ana').length, titles('beto').length]).toEqual([2, 1]);
    expect(await project.ask('select from public.alert_tests')).toEqual([]);
    expect(await project.ask("select from public.alerts where kind = 'prueba'")).toEqual([]);
    const status = await command('alerts', ['status']);
    expect(status.code, status.output).toBe(0);
    expect(status.output).toContain('answer to the call before: 200.');
  });

  test('`alerts test` and `alerts status` report that database and alert function have different keys', async () => {
    await breakRoad();
    const { code, output } = await rehearse('2');
    expect(code).toBe(1);
    expect(output).toContain('2. NOT CALLED: nothing looked for alerts within 2 s.');
    expect(output).toContain('The function refused the call of the database (401): their keys differ.');
    await project.run("update public.alert_sender set ran_at = now() - interval '4 minutes'");
    const status = await command('alerts', ['status']);
    expect(status.code).toBe(1);
    expect(status.output).toContain('NOTHING IS SENT. The function refused the call of the database (401)');
  });

  test('`alerts test` reports that the alert function is missing', async () => {
    await platform.removeFunction();
    const { code, output } = await rehearse('2');
    expect(code).toBe(1);
    expect(output).toContain('The database calls an address without a function (404).');
  });

  test('`alerts test` reports that the database never calls the alert function', async () => {
    await project.run(
      'delete from cron.job; drop trigger alerts_call on public.alerts; update public.alert_sender set called_at = null',
    );
    const { output } = await rehearse('2');
    expect(output).toContain('The database of the project does not call the function yet');
    expect((await set()).code).toBe(0);
    expect((await rehearse()).code).toBe(0);
  });

  /** Breaks the alerts: changes the alert key in the database, but not in the function. */
  async function breakRoad(): Promise<void> {
    const called = platform.called.length;
    await project.run("update vault.secrets set secret = 'yet another' where name = 'alerts_key'");
    await vi.waitUntil(() => platform.called.slice(called).includes(401), { timeout: 10_000 });
  }
});
