import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { openSite } from '../../server/site.ts';
import { buildWith } from './build-with.ts';

/** The same sources, built apart with another environment, and served as a static host would. */
async function serveConfigured(
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

/** The same beside a server of another origin that it is configured with. */
export async function serveBeside(server: Server, name: string, environment: (port: number) => Record<string, string>) {
  const site = await serveConfigured(name, environment(await listen(server)));
  return {
    ...site,
    async close() {
      await site.close();
      server.closeAllConnections();
      server.close();
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
