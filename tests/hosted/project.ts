import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { chmod, cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { vi } from 'vitest';
import type { WebHandler } from '../../server/http.ts';
import { freePort } from '../free-port.ts';
import { KEEP_PROMISE } from '../../server/database/promise.ts';
import { startPostgres, type PostgresServer } from '../integration/engines.ts';
import { scratchFolder } from '../scratch.ts';
import { createGateway, makeKeys, type Keys } from './gateway.ts';
import { POSTGREST, SUPABASE } from './programs.ts';

/** Hosted project made of Supabase’s real database and PostgREST, behind our substitute for the gateway. */
export interface Project {
  readonly keys: Keys;
  readonly answer: WebHandler;
  readonly databaseUrl: string;
  readonly connection: PostgresServer['connection'];
  /** Runs an SQL script as the owner, like the SQL editor of Supabase. */
  run(script: string): Promise<void>;
  ask<Row extends object>(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

interface Choice {
  /** True if the project starts without our migrations. */
  readonly isEmpty?: boolean;
  /** Services beside PostgREST, keyed by the prefix of their paths. */
  readonly others?: Readonly<Record<string, WebHandler>>;
}

export async function startProject({ isEmpty = false, others = {} }: Choice = {}): Promise<Project> {
  const extensions = await extensionsFolder();
  // Autovacuum would change the order of rows, which the tests compare with PGlite.
  const settings = ['autovacuum=off', 'timezone=UTC', `extension_control_path=$system:${extensions}`];
  const server = await startPostgres('supabase_admin', settings);
  if (!server) throw new Error('PostgreSQL does not run on this machine.');
  const { host, port } = server.connection;
  const admin = new Client({ ...server.connection, database: 'postgres' });
  await admin.connect();
  await admin.query(await readFile(path.join(import.meta.dirname, 'roles.sql'), 'utf8'));
  const address = (role: string) => `postgresql://${role}:only-for-this-test@${host}:${port}/postgres?sslmode=disable`;
  await admin.query('create extension supabase_vault');
  if (!isEmpty) {
    await pushMigrations(address('postgres'));
    await admin.query(KEEP_PROMISE.sql, KEEP_PROMISE.parameters);
  }

  const keys = await makeKeys(randomBytes(32));
  const [restPort, adminPort] = [await freePort(), await freePort()];
  const postgrest = spawn(POSTGREST, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      LANG: 'C.UTF-8',
      PGRST_DB_URI: address('authenticator'),
      PGRST_DB_SCHEMAS: 'public',
      PGRST_DB_EXTRA_SEARCH_PATH: 'public, extensions',
      PGRST_DB_ANON_ROLE: 'anon',
      PGRST_DB_MAX_ROWS: '1000',
      PGRST_JWT_SECRET: Buffer.from(keys.signedWith).toString('base64'),
      PGRST_JWT_SECRET_IS_BASE64: 'true',
      PGRST_SERVER_HOST: '127.0.0.1',
      PGRST_SERVER_PORT: String(restPort),
      PGRST_ADMIN_SERVER_PORT: String(adminPort),
      PGRST_LOG_LEVEL: 'crit',
    },
  });
  const gone = once(postgrest, 'exit');
  const isReady = () =>
    fetch(`http://127.0.0.1:${adminPort}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isReady, { timeout: 30_000, interval: 50 });
  return {
    keys,
    answer: createGateway({ rest: `http://127.0.0.1:${restPort}`, keys, others }),
    databaseUrl: address('postgres'),
    connection: server.connection,
    run: async (script) => void (await admin.query(script)),
    ask: async <Row extends object>(statement: string, parameters: readonly unknown[] = []) =>
      (await admin.query(statement, [...parameters])).rows as Row[],
    async close() {
      postgrest.kill();
      await gone;
      await admin.end();
      await server.stop();
      await rm(extensions, { recursive: true, force: true });
    },
  };
}

/** Copies the extensions to a folder that PostgreSQL’s user may read. */
async function extensionsFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'aeropuente-extensions-'));
  await chmod(folder, 0o755);
  await cp(path.join(import.meta.dirname, 'extensions'), path.join(folder, 'extension'), { recursive: true });
  return folder;
}

/** Pushes the migrations with the Supabase CLI, from a copy because the CLI leaves files in its folder. */
async function pushMigrations(address: string): Promise<void> {
  const folder = await mkdtemp(path.join(scratchFolder(), 'aeropuente-push-'));
  await cp('supabase', path.join(folder, 'supabase'), { recursive: true });
  const parameters = ['db', 'push', '--db-url', address, '--workdir', folder, '--yes', '--skip-vault'];
  const env = { PATH: process.env['PATH'], HOME: folder, DO_NOT_TRACK: '1', CI: '1' };
  await promisify(execFile)(SUPABASE, parameters, { env, timeout: 60_000 });
  await rm(folder, { recursive: true, force: true });
}
