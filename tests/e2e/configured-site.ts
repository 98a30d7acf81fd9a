import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { openSite } from '../../server/site.ts';
import { buildWith } from './build-with.ts';

/** The same sources, built apart with another environment, and served as a static host would. */
export async function serveConfigured(
  name: string,
  environment: Record<string, string>,
): Promise<{ readonly origin: string; readonly directory: string; readonly close: () => Promise<void> }> {
  const directory = path.resolve('.cache', name);
  await buildWith(directory, environment);
  const site = createServer(openSite(path.join(directory, 'dist')));
  return {
    origin: `http://localhost:${await listen(site)}`,
    directory,
    async close() {
      site.closeAllConnections();
      site.close();
      await rm(directory, { recursive: true });
    },
  };
}

export async function listen(server: Server): Promise<number> {
  server.listen(0);
  await once(server, 'listening');
  return (server.address() as { port: number }).port;
}
