import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { openSite } from '../../server/site.ts';
import { madeOnce } from '../run-folder.ts';
import { buildWith } from './build-with.ts';

/** Site that loads files from another host, which a local server replaces. */
export interface ConfiguredSite {
  readonly origin: string;
  readonly directory: string;
  /** Browser flag that maps the other host’s name to the local server. */
  readonly flag: string;
  readonly close: () => void;
}

/** Builds the site with another environment, and serves it like a static host. */
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

/** PNG of one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function listen(server: Server): Promise<number> {
  server.listen(0);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}
