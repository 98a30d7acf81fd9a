import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { openSite } from '../../server/site.ts';
import { madeOnce } from '../run-folder.ts';
import { buildWith } from './build-with.ts';

/** A site that uses another host, and the server that plays this host. */
export interface ConfiguredSite {
  readonly origin: string;
  readonly directory: string;
  /** Flag by which the browser finds that server under the name of the host. */
  readonly flag: string;
  readonly close: () => void;
}

/** The same sources, built with another environment, and served as a static host would. */
export async function serveConfigured(
  name: string,
  environment: Record<string, string>,
  host: string,
  server: Server,
): Promise<ConfiguredSite> {
  const directory = await madeOnce(name, (folder) => buildWith(folder, environment));
  const site = createServer(openSite(path.join(directory, 'dist')));
  return {
    origin: `http://localhost:${await listen(site)}`,
    directory,
    flag: `--host-resolver-rules=MAP ${host} 127.0.0.1:${await listen(server)}`,
    close() {
      for (const each of [site, server]) {
        each.closeAllConnections();
        each.close();
      }
    },
  };
}

/** The smallest PNG. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function listen(server: Server): Promise<number> {
  server.listen(0);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}
