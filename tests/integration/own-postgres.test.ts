import { execFileSync } from 'node:child_process';
import { chownSync, copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { openBackend, type Backend } from '../../server/backend.ts';
import { readPostgresAddress } from '../../server/database/address.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { openPostgres } from '../../server/database/postgres.ts';
import { readSettings } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { CERTIFICATE } from '../push/service.ts';
import { scratchFolder } from '../scratch.ts';
import { ownDatabase, poolOf, startPostgres, type PostgresServer } from './engines.ts';
import { mailServer } from './mail-server.ts';
import { nextRelease } from './next-release.ts';
import { runQuotes, runScript, send, startServer, temporaryDirectory } from './processes.ts';
import { asInsert, INSERT, sampleQuote } from './sample-quote.ts';

const server = await startPostgres('postgres', ['fsync=on']);
afterAll(() => server?.stop());

describe.runIf(server)('the server on the operator’s own PostgreSQL', () => {
  const { connection } = server!;
  let databases = 0;
  let url: string;
  let admin: Pool;
  /** Migrated database, which tests copy because a migration takes longer than a test. */
  let used: string;
  beforeAll(async () => {
    used = await ownDatabase(server!, 'own_template');
    const dataDir = mkdtempSync(path.join(scratchFolder(), 'aeropuente-'));
    await (await openBackend({ ...readSettings({ DATABASE_URL: used, DATA_DIR: dataDir }), serves: true })).close();
    rmSync(dataDir, { recursive: true });
  });
  beforeEach(async () => {
    const name = `own_${++databases}`;
    await administrating(server!, 'postgres').query(`create database ${name} template own_template owner aeropuente`);
    url = used.replace('own_template', name);
    admin = administrating(server!, name);
  });
  const administrating = ({ connection: of }: PostgresServer, database: string) => {
    const { pool, end } = poolOf({ ...of, database, max: 3 });
    pool.on('error', () => undefined);
    onTestFinished(end);
    return pool;
  };
  const settingsOf = (DATABASE_URL: string, more: Readonly<Record<string, string>> = {}) => ({
    ...readSettings({ DATABASE_URL, DATA_DIR: temporaryDirectory(), RATE_LIMIT_PER_ADDRESS: '0', ...more }),
    serves: true,
  });
  const opened = async (DATABASE_URL = url, more: Readonly<Record<string, string>> = {}): Promise<Backend> => {
    const backend = await openBackend(settingsOf(DATABASE_URL, more));
    onTestFinished(() => backend.close());
    return backend;
  };
  const store = (backend: Backend, quote: object) =>
    backend.answer(new Request(`http://localhost${INSERT}`, asInsert(quote)), '203.0.113.1');
  const stored = async () => (await admin.query<{ id: string }>('select id from quotes')).rows.map(({ id }) => id);
  const refusalOf = (given: string) =>
    openBackend(settingsOf(given)).then(
      (backend) => backend.close().then(() => 'opened'),
      ({ message }: Error) => message,
    );

  describe('the server explains, without the password, why a database cannot be opened', () => {
    test.each([
      ['no PostgreSQL answers', () => url.replace(String(connection.port), '9'), /does not answer \(ECONNREFUSED\)/],
      ['the password is wrong', () => url.replace('only-for-this-test', 'secreta'), /does not accept the user/],
      ['the database does not exist', () => `${url}_not`, /has no such database/],
      ['PostgreSQL does not use TLS', () => `${url}?sslmode=require`, /does not use TLS.*sslmode=disable/],
    ])('the error names the reason if %s', async (_what, address, sentence) => {
      const refusal = await refusalOf(address());
      expect(refusal).toMatch(sentence);
      expect(refusal).not.toMatch(/secreta|only-for-this-test/);
    });

    test('the server refuses PostgreSQL’s certificate until a setting names its authority', async () => {
      const folder = (await admin.query<{ data_directory: string }>('show data_directory')).rows[0]!.data_directory;
      const { uid, gid } = statSync(folder);
      for (const name of ['localhost.pem', 'localhost-key.pem']) {
        copyFileSync(path.join(path.dirname(CERTIFICATE), name), path.join(folder, name));
        chownSync(path.join(folder, name), uid, gid);
      }
      execFileSync('chmod', ['600', path.join(folder, 'localhost-key.pem')]);
      for (const setting of ["ssl_cert_file = 'localhost.pem'", "ssl_key_file = 'localhost-key.pem'", 'ssl = on'])
        await admin.query(`alter system set ${setting}`);
      await admin.query('select pg_reload_conf()');
      onTestFinished(async () => {
        await admin.query('alter system reset all');
        await admin.query('select pg_reload_conf()');
      });
      const there = url.replace('127.0.0.1', 'localhost');
      expect(await refusalOf(`${there}?sslmode=verify-full`)).toMatch(/certificate that this machine does not trust/);
      expect(await refusalOf(`${there}?sslmode=require`)).toBe('opened');
      expect(await refusalOf(`${there}?sslmode=verify-full&sslrootcert=${CERTIFICATE}`)).toBe('opened');
    });

    test('the server does not start on data of a newer release, and says so', async () => {
      expect(await refusalOf(url)).toBe('opened');
      await admin.query(`insert into supabase_migrations.schema_migrations (version) values ('29990101000000')`);
      expect(await refusalOf(url)).toMatch(/cannot be used\. The data are of a newer release/);
    });

    test('the server prints the commands for the administrator if its role may not create roles', async () => {
      const name = `narrow_${databases}`;
      await server!.createDatabase(name);
      await admin.query(`create role ${name} login password 'narrow'; alter database ${name} owner to ${name}`);
      const narrow = `postgresql://${name}:narrow@127.0.0.1:${connection.port}/${name}`;
      const refusal = await refusalOf(narrow);
      expect(refusal).toContain('may not create the roles that AeroPuente uses');
      const commands = refusal.split('\n').slice(1).join('\n');
      expect(commands).toContain(`grant anon, authenticated, service_role to "${name}"`);
      await admin.query(commands);
      expect(await refusalOf(narrow)).toBe('opened');
    });
  });

  test('two servers that start at once create the missing roles together', async () => {
    const fresh = await startPostgres('postgres', ['fsync=on']);
    onTestFinished(() => fresh!.stop());
    await fresh!.createDatabase('quotes');
    const { user, password, host, port } = fresh!.connection;
    const address = `postgresql://${user}:${password}@${host}:${port}/quotes`;
    const [one, other] = await Promise.all([opened(address), opened(address)]);
    const quote = sampleQuote();
    expect((await store(one, quote)).status).toBe(201);
    expect(await (await store(other, quote)).json()).toEqual([]);
    const pool = administrating(fresh!, 'quotes');
    const { rows } = await pool.query<{ version: string }>('select version from supabase_migrations.schema_migrations');
    const migrations = readdirSync(migrationsFolder).map((file) => file.slice(0, 14));
    expect(rows.map(({ version }) => version).toSorted()).toEqual(migrations.toSorted());
    // Both servers use the same signing key, so a session that began at one server is valid at the other.
    expect(await one.serviceKey().then((key) => isKeyOf(other, key))).toBe(200);
  });
  const isKeyOf = async (backend: Backend, key: string) =>
    (await backend.answer(new Request('http://localhost/rest/v1/desk_acts', { headers: { apikey: key } }), '')).status;

  test('each write waits until it is on disk, even if PostgreSQL’s setting says otherwise', async () => {
    await admin.query('alter role aeropuente set synchronous_commit = off');
    onTestFinished(async () => void (await admin.query('alter role aeropuente reset synchronous_commit')));
    await opened();
    await admin.query(`create table seen (value text); grant insert on seen to public;
      create function note() returns trigger language plpgsql as $$
        begin insert into seen values (current_setting('synchronous_commit')); return null; end $$;
      create trigger note after insert on quotes for each row execute function note()`);
    expect((await store(await opened(), sampleQuote())).status).toBe(201);
    expect((await admin.query('select value from seen')).rows).toEqual([{ value: 'on' }]);
  });

  test('a command does not migrate a database that a server of an older release uses', async () => {
    await opened();
    const command = { ...settingsOf(url), serves: false };
    const later = path.join(await nextRelease(), 'supabase/migrations');
    await expect(openBackend(command, later)).rejects.toThrow('The database is of an earlier release');
  });

  /** Locks the table, so that every insert waits until this transaction ends. */
  async function holdUp(): Promise<PoolClient> {
    const client = await admin.connect();
    await client.query('begin; lock table quotes in access exclusive mode');
    onTestFinished(() => client.release(true));
    return client;
  }
  const ours = `from pg_stat_activity where application_name = 'aeropuente' and datname = current_database()`;
  const untilWaiting = () =>
    expect.poll(async () => (await admin.query(`select ${ours} and wait_event_type = 'Lock'`)).rowCount).not.toBe(0);
  const endAll = () => admin.query(`select pg_terminate_backend(pid) ${ours}`);

  test('a request whose database connection breaks gets 503, and stores nothing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const backend = await opened(url, { LIMIT_STATEMENT_MS: '60000' });
    const holding = await holdUp();
    const quote = sampleQuote();
    const answer = store(backend, quote);
    await untilWaiting();
    await endAll();
    const response = await answer;
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
    await holding.query('rollback');
    expect(await stored()).toEqual([]);
    expect((await store(backend, quote)).status).toBe(201);
    expect(await stored()).toEqual([quote.id]);
  });

  test('a request gets 503 with Retry-After if PostgreSQL accepts no more connections', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    vi.spyOn(console, 'log').mockImplementation(() => {});
    const backend = await opened(url, { LIMIT_STATEMENT_MS: '60000' });
    const holding = await holdUp();
    await admin.query('alter role aeropuente connection limit 1');
    onTestFinished(async () => void (await admin.query('alter role aeropuente connection limit -1')));
    const waits = store(backend, sampleQuote());
    await untilWaiting();
    const refused = await store(backend, sampleQuote());
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10']);
    await holding.query('rollback');
    expect((await waits).status).toBe(201);
  });

  test('a request that waits too long for a free database connection fails', async () => {
    const options = { migrations: migrationsFolder, mayMigrate: true, afterwards: [] };
    const database = await openPostgres({ address: readPostgresAddress(url), connections: 2, ...options });
    onTestFinished(() => database.close());
    const sleep = () => database.transaction([{ sql: 'select pg_sleep(5.4)', parameters: [] }]);
    const both = [sleep(), sleep()];
    await expect(sleep()).rejects.toMatchObject({ code: '53300' });
    expect(await Promise.all(both)).toHaveLength(2);
  });

  test('the server ends an SQL statement that takes too long', async () => {
    const backend = await opened(url, { LIMIT_STATEMENT_MS: '200' });
    const holding = await holdUp();
    const response = await store(backend, sampleQuote());
    expect([response.status, await response.json()]).toMatchObject([503, { code: '57014' }]);
    await holding.query('rollback');
    expect((await store(backend, sampleQuote())).status).toBe(201);
  });

  describe('two server processes on one database', () => {
    const start = (mailbox: string) =>
      startServer(temporaryDirectory(), {
        DATABASE_URL: url,
        RATE_LIMIT_OVERALL: '0',
        SMTP_URL: mailbox,
        ALERT_MAIL: 'ventas@carga.example',
      });

    test('two servers under heavy load store each quote once, and alert about it once', async () => {
      const { mails, url: mailbox } = await mailServer();
      const two = await Promise.all([start(mailbox), start(mailbox)]);
      const quotes = Array.from({ length: 200 }, () => sampleQuote());
      const statuses = await inTurns(quotes, 20, async (quote, place) => {
        // The phone also sends each quote to the other server, at the same time or later, as after a lost response.
        const [one, other] = place % 2 ? [0, 1] : [1, 0];
        const first = send(two[one]!.address, quote);
        if (place % 3 === 0) await first;
        return [(await first).status, (await send(two[other]!.address, quote)).status];
      });
      expect(new Set(statuses.flat())).toEqual(new Set([201]));
      expect((await stored()).toSorted()).toEqual(quotes.map(({ id }) => id).toSorted());
      // The server delays alerts about many quotes by up to five minutes; the test skips this delay.
      await admin.query("update alerts set due_at = now() where kind = 'nueva' and spread_at is null");
      const subjects = () =>
        mails.map((mail) => /^Subject: .*?(AP-\w{4}-\w{4}|\d+ solicitudes nuevas)/m.exec(mail)![1]!);
      const announced = () => subjects().reduce((sum, subject) => sum + (Number.parseInt(subject, 10) || 1), 0);
      await expect.poll(announced, { timeout: 20_000 }).toBeGreaterThanOrEqual(quotes.length);
      const left = () => admin.query('select from alert_messages where sent_at is null');
      await expect.poll(async () => (await left()).rowCount).toBe(0);
      expect(announced()).toBe(quotes.length);
      const named = new Set(subjects().filter((subject) => subject.startsWith('AP-')));
      expect(named.isSubsetOf(new Set(quotes.map(({ id }) => folioOf(id))))).toBe(true);
    });

    test('two servers store each quote once, although one is killed and connections break', async () => {
      const { url: mailbox } = await mailServer();
      const [stays, goes] = await Promise.all([start(mailbox), start(mailbox)]);
      let addresses = [stays.address, goes.address];
      const quotes = Array.from({ length: 150 }, () => sampleQuote());
      const acknowledged = new Set<string>();
      const sending = inTurns(quotes, 10, async (quote, place) => {
        // The test sends the quote until a server acknowledges it, like a phone behind a proxy.
        for (let attempt = 0; !acknowledged.has(quote.id); attempt += 1) {
          const to = addresses[(place + attempt) % addresses.length]!;
          const status = await send(to, quote).then(
            (response) => response.status,
            () => 0,
          );
          if (status === 201) acknowledged.add(quote.id);
          else if (status !== 0 && status < 500) throw new Error(`refused with ${status}`);
        }
      });
      const until = (count: number) => vi.waitUntil(() => acknowledged.size >= count, { timeout: 20_000, interval: 2 });
      await until(30);
      await goes.server.end('SIGKILL');
      await until(60);
      await endAll();
      const restarted = await start(mailbox);
      addresses = [stays.address, restarted.address];
      await sending;
      expect((await stored()).toSorted()).toEqual(quotes.map(({ id }) => id).toSorted());
      expect(acknowledged.size).toBe(quotes.length);
      const { rowCount } = await admin.query(`select from quote_events where code = 'creada'`);
      expect(rowCount).toBe(quotes.length);
    });
  });

  test('the commands work on PostgreSQL while a server runs; `backup` names pg_dump instead', async () => {
    const dataDir = temporaryDirectory();
    const environment = { DATABASE_URL: url, DATA_DIR: dataDir };
    const { server: running, address } = await startServer(dataDir, { DATABASE_URL: url });
    expect(running.output).toContain(
      `quotes are stored in PostgreSQL at 127.0.0.1:${connection.port}/own_${databases}`,
    );
    const quote = sampleQuote();
    expect((await send(address, quote)).status).toBe(201);
    const listed = await runQuotes(environment, '--json');
    expect(JSON.parse(listed.output)).toMatchObject([{ id: quote.id }]);
    const added = await runScript('staff', environment, ['add', 'ana@carga.example', '--supervisor']);
    expect(added.output).toContain('Contraseña: ');
    await expect
      .poll(() => runScript('alerts', environment, ['status']).then(({ output }) => output), { timeout: 20_000 })
      .toContain('0 devices of 0 colleagues are alerted');
    const backup = (...words: string[]) => runScript('backup', environment, words);
    expect((await backup('backup')).errors).toContain('pg_dump --format=custom --no-owner');
    expect((await backup('restore', 'aeropuente.dump')).errors).toContain('pg_restore --no-owner');
    await runQuotes(environment, 'block', folioOf(quote.id));
    const purged = await runQuotes(environment, 'purge', folioOf(quote.id));
    expect(purged.output).toContain('is erased');
    expect(purged.output).toContain('vacuum');
    expect(await stored()).toEqual([]);
    // The quote comes back, as from an older dump. The next start of the server must erase it again.
    await admin.query('alter table quotes disable trigger user');
    await admin.query(
      'insert into quotes (id, nombre, empresa, email, telefono, peso, tipo_carga) values ($1, $2, $3, $4, $5, $6, $7)',
      [quote.id, quote.nombre, quote.empresa, quote.email, quote.telefono, quote.peso, quote.tipo_carga],
    );
    await admin.query('insert into quote_desk (quote_id, asked_at) values ($1, now())', [quote.id]);
    await admin.query('alter table quotes enable trigger user');
    await (await openBackend({ ...settingsOf(url), dataDir })).close();
    expect(await stored()).toEqual([]);
  });
});

/** Processes all items, `atOnce` of them at a time. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, place: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const places = items.keys();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const place of places) results[place] = await work(items[place]!, place);
      await wait(0);
    }),
  );
  return results;
}
