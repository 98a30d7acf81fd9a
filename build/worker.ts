import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { InlineConfig } from 'vite';
import type { PrecacheEntry } from 'workbox-precaching';
import { constants, type Environment } from './environment.ts';
import { MANIFEST } from './manifest.ts';
import { target } from './styles.ts';

/** Without signal there is no call, and it is larger than all the rest of the page. */
const KEPT = /^(?!assets\/vapi-).*\.(html|js|css|svg|woff2)$/;

/** At the root, where files are asked for anew each time; what is in the folders is kept for good. */
export function workerBuild(
  input: string,
  name: string,
  environment: Environment,
  more: Readonly<Record<string, string>> = {},
): InlineConfig {
  return {
    root: process.cwd(),
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    define: { ...constants(environment), ...more },
    build: {
      target,
      emptyOutDir: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input,
        // Older engines take a worker as one classic file only.
        output: { format: 'iife', entryFileNames: name },
        checks: { pluginTimings: false },
      },
    },
  };
}

/** The visitor's worker, with the list of what is in this directory by now: all of the site, and nothing of the desk. */
export async function siteWorkerBuild(directory: string, environment: Environment): Promise<InlineConfig> {
  const list = JSON.stringify(await listFiles(directory));
  return workerBuild('sw/worker.ts', 'worker/site-[hash].js', environment, { 'self.__WB_MANIFEST': list });
}

/** As Workbox wants it: what has a hash in its name needs no revision. */
async function listFiles(directory: string): Promise<PrecacheEntry[]> {
  const names = (await readdir(directory, { recursive: true })).map((name) => name.replaceAll(path.sep, '/'));
  // In one order on every machine: backwards it is 50 bytes less. The manifest last: no page waits for it.
  const kept = [
    ...names
      .filter((name) => KEPT.test(name))
      .toSorted()
      .toReversed(),
    MANIFEST,
  ];
  return Promise.all(
    kept.map(async (url) => {
      if (url.startsWith('assets/')) return { revision: null, url };
      const content = await readFile(path.join(directory, url));
      const revision = createHash('md5').update(content).digest('hex');
      if (url !== 'index.html') return { revision, url };
      // By which the worker knows the document again that the visit has brought (sw/files.ts).
      return { revision, url, integrity: `sha256-${createHash('sha256').update(content).digest('base64')}` };
    }),
  );
}
