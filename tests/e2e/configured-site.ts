import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { openSite } from '../../server/site.ts';

const SOURCES = ['index.html', 'package.json', 'package-lock.json', 'tsconfig.base.json', 'vite.config.ts'];
const FOLDERS = ['src', 'sw', 'public', 'build', 'server'];

/** The same sources, built apart with another environment, and served as a static host would. */
export async function serveConfigured(
  name: string,
  environment: Record<string, string>,
): Promise<{ readonly origin: string; readonly directory: string; readonly close: () => Promise<void> }> {
  const directory = path.resolve('.cache', name);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const source of [...SOURCES, ...FOLDERS]) await cp(source, path.join(directory, source), { recursive: true });
  await symlink(path.resolve('node_modules'), path.join(directory, 'node_modules'));
  const build = spawn(process.execPath, ['build/site.ts'], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(build, 'exit')) as [number];
  if (code !== 0) throw new Error(`${name} was not built.`);
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
