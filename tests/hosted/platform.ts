import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { Client } from 'pg';
import { serveWith, type WebHandler } from '../../server/http.ts';
import { listening } from '../listening.ts';
import { scratchFolder } from '../scratch.ts';

// Substitute for Supabase’s platform, built from its documentation: runs functions that the Supabase CLI deploys, and
// jobs and requests that the database queues. This substitute was never compared with the real platform.

export const REF = 'abcdefghijklmnopqrst';
export const ACCESS_TOKEN = `sbp_${'0'.repeat(40)}`;

/** Real milliseconds for each second of a job’s schedule, so that tests need not wait. */
const SECOND = 20;

export async function listen(answer: WebHandler): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => void serveWith(answer, { trustedProxies: 0 })(request, response));
  return { server, address: (await listening(server)).replace('127.0.0.1', 'localhost') };
}

export interface Platform {
  /** Handles `/functions/v1/…`. */
  readonly functions: WebHandler;
  /** Handles the Management API. */
  readonly management: WebHandler;
  /** Current secrets of the edge functions. */
  readonly secrets: Map<string, string>;
  /** Statuses with which the function answered each call. */
  readonly called: number[];
  removeFunction(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates the substitute for Supabase’s platform. `given` returns the environment variables of each edge function. */
export function createPlatform(given: () => Record<string, string>): Platform {
  const secrets = new Map<string, string>();
  const called: number[] = [];
  let deployed: { readonly folder: string; readonly entrypoint: string; readonly verifyJwt: boolean } | undefined;
  let running: Promise<{ child: ChildProcess; address: string }> | undefined;

  async function start() {
    const { folder, entrypoint } = deployed!;
    const child = fork('tests/hosted/deployed.ts', [path.join(folder, entrypoint)], {
      env: { PATH: process.env['PATH'], ...nodeOnly(), ...given(), ...Object.fromEntries(secrets) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [address] = (await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [''])])) as [string];
    return { child, address };
  }

  async function end(): Promise<void> {
    const was = running;
    running = undefined;
    const child = (await was)?.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  }

  async function removeFunction(): Promise<void> {
    const was = deployed;
    // The platform forgets the function before it removes the files, so that no call reaches half a function.
    deployed = undefined;
    await end();
    if (was) await rm(was.folder, { recursive: true, force: true });
  }

  async function take(request: Request): Promise<Response> {
    const form = await request.formData();
    const metadata = JSON.parse(form.get('metadata') as string) as { entrypoint_path: string; verify_jwt?: boolean };
    await removeFunction();
    const folder = await mkdtemp(path.join(scratchFolder(), 'aeropuente-function-'));
    for (const file of form.getAll('file') as File[]) {
      const place = path.join(folder, file.name);
      mkdirSync(path.dirname(place), { recursive: true });
      await writeFile(place, Buffer.from(await file.arrayBuffer()));
    }
    // Node finds the packages of the function’s deno.json through this link. It loads the versions that the project has
    // installed.
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
    await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
    deployed = { folder, entrypoint: metadata.entrypoint_path, verifyJwt: metadata.verify_jwt ?? true };
    return Response.json(
      { id: 'f', slug: 'alert', name: 'alert', status: 'ACTIVE', version: 1, created_at: 1, updated_at: 1 },
      { status: 201 },
    );
  }

  return {
    secrets,
    called,
    removeFunction,
    async functions(request) {
      const answered = await (async () => {
        if (!deployed || new URL(request.url).pathname !== '/functions/v1/alert')
          return Response.json({ code: 'NOT_FOUND', message: 'Requested function was not found' }, { status: 404 });
        if (deployed.verifyJwt && !request.headers.get('authorization')?.startsWith('Bearer ey'))
          return Response.json({ code: 401, message: 'Missing authorization header' }, { status: 401 });
        const { address } = await (running ??= start());
        if (!address)
          return Response.json({ code: 'BOOT_ERROR', message: 'Function failed to start' }, { status: 503 });
        const body = await request.arrayBuffer();
        // A new deployment ends the running function, even before it has answered. The caller then gets 503.
        return fetch(address, { method: 'POST', headers: request.headers, body }).catch(() =>
          Response.json({ code: 'WORKER_ERROR', message: 'The function ended' }, { status: 503 }),
        );
      })();
      called.push(answered.status);
      return new Response(await answered.text(), { status: answered.status });
    },
    async management(request) {
      const { pathname } = new URL(request.url);
      if (request.headers.get('authorization') !== `Bearer ${ACCESS_TOKEN}`)
        return Response.json({ message: 'Unauthorized' }, { status: 401 });
      const call = `${request.method} ${pathname.replace(`/v1/projects/${REF}`, '')}`;
      if (call === 'POST /secrets') {
        const set = (await request.json()) as { name: string; value: string }[];
        for (const { name, value } of set) secrets.set(name, value);
        await end();
        return new Response(null, { status: 201 });
      }
      if (call === 'POST /functions/deploy') return take(request);
      if (call === 'GET /functions') return Response.json([]);
      return Response.json({}, { status: pathname.includes(REF) ? 200 : 404 });
    },
    stop: removeFunction,
  };
}

function nodeOnly(): Record<string, string> {
  const { NODE_EXTRA_CA_CERTS } = process.env;
  return NODE_EXTRA_CA_CERTS ? { NODE_EXTRA_CA_CERTS } : {};
}

/** Replaces pg_net and pg_cron: sends queued requests and runs due jobs until stopped. */
export function doWhatIsQueued(connection: { host: string; port: number; user: string; password: string }) {
  const client = new Client({ ...connection, database: 'postgres' });
  const end = new AbortController();
  const lastRun = new Map<string, number>();

  async function round(): Promise<void> {
    const { rows: jobs } = await client.query<{ jobname: string; schedule: string; command: string }>(
      'select jobname, schedule, command from cron.job',
    );
    for (const { jobname, schedule, command } of jobs) {
      // parseInt reads a daily schedule (`0 9 * * *`) as 0, and the job runs every simulated second.
      const seconds = Number.parseInt(schedule, 10) || 1;
      if (performance.now() - (lastRun.get(jobname) ?? -Infinity) < seconds * SECOND) continue;
      lastRun.set(jobname, performance.now());
      // A job may fail while a migration changes its table. The job runs again in the next round, so its failure is
      // only a warning.
      const noted = (error: Error) => console.warn(`The job ${jobname} failed: ${error.message}`);
      await client.query(`set role postgres; ${command}; reset role`).catch(noted);
    }
    const { rows } = await client.query<{ id: string; url: string; headers: Record<string, string>; body: object }>(
      'delete from net.http_request_queue returning id, url, headers, body',
    );
    for (const { id, url, headers, body } of rows) {
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).then(
        async (response) => ({ status: response.status, content: await response.text(), error: null }),
        (error: Error) => ({ status: null, content: null, error: error.message }),
      );
      await client.query(
        'insert into net._http_response (id, status_code, content, error_msg) values ($1, $2, $3, $4)',
        [id, answer.status, answer.content, answer.error],
      );
    }
  }

  const work = (async () => {
    await client.connect();
    while (!end.signal.aborted) {
      const { rows } = await client.query(
        "select to_regclass('net._http_response') is not null and to_regclass('cron.job') is not null as made",
      );
      if ((rows[0] as { made: boolean }).made) await round();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await client.end();
  })();
  return {
    async stop() {
      end.abort();
      await work;
    },
  };
}
