import type { IncomingMessage, ServerResponse } from 'node:http';
import { holdDataDirectory } from './data-directory.ts';
import { openPglite } from './database.ts';
import { serveWith } from './http.ts';
import { migrate, migrationsFolder } from './migrate.ts';
import { createRest } from './rest/handler.ts';
import { createGate } from './rest/identity.ts';
import type { Settings } from './settings.ts';

/** What stands in for hosted Supabase: its REST interface over a database in this process. */
export interface Backend {
  /** The key that reads every quote; the one a hosted project calls service_role. */
  readonly serviceKey: string;
  answer(request: Request, address: string): Promise<Response>;
  /** The same for Node's HTTP server, with a line in the log for each request. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Tells `npm run quotes` where this backend can be asked. */
  announce(address: string): void;
  close(): Promise<void>;
}

type BackendSettings = Pick<Settings, 'dataDir' | 'ratePerAddress' | 'anonKey'> &
  Partial<Pick<Settings, 'trustedProxies'>>;

/** Opens the data directory, or throws a sentence and leaves it as it was. */
export async function openBackend(settings: BackendSettings, migrations = migrationsFolder): Promise<Backend> {
  const directory = holdDataDirectory(settings.dataDir);
  try {
    const database = await openPglite(directory.databaseFolder);
    try {
      await migrate(database, migrations);
      await database.transaction((session) =>
        session.query('update private.quote_limits set per_address = $1 where per_address <> $1', [
          settings.ratePerAddress,
        ]),
      );
      const gate = createGate({ anonKey: settings.anonKey, secret: directory.secret });
      const answer = createRest(database, gate);
      const recorded = async (request: Request, address: string) => {
        const response = await answer(request, address);
        record(request, response);
        return response;
      };
      return {
        serviceKey: await gate.serviceKey(),
        answer,
        serve: serveWith(recorded, { trustedProxies: settings.trustedProxies ?? 0 }),
        announce: (address) => directory.announce(address),
        async close() {
          await database.close();
          directory.release();
        },
      };
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    directory.release();
    throw error;
  }
}

/** One line for each request, and nothing a visitor wrote in it: no query string, no header, no body. */
function record(request: Request, response: Response): void {
  const path = new URL(request.url).pathname.slice(0, 100);
  const code = /error=(\w+)/.exec(response.headers.get('proxy-status') ?? '')?.[1] ?? '';
  console.log(`${request.method} ${path} ${response.status} ${code}`.trimEnd());
}
