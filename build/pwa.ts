import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plugin } from 'vite';
import { VitePWA, type VitePWAOptions } from 'vite-plugin-pwa';
import type { BuildEnvironment } from './environment.ts';
import { findEssentialFiles } from './essential-files.ts';
import { manifest, MANIFEST } from './manifest.ts';

/**
 * Start of the file names of the calls' library. The worker does not cache this library, because a call needs a
 * connection anyway.
 */
export const CALL_LIBRARY = 'assets/vapi-';

const WORKER = 'worker.js';

type Precache = NonNullable<NonNullable<VitePWAOptions['injectManifest']>['manifestTransforms']>[number];

/** Web manifest and visitor's worker, which caches every file except the call library. */
export function pwa(directory: string, environment: BuildEnvironment): Plugin[] {
  const essential = findEssentialFiles();
  const plugins = VitePWA({
    strategies: 'injectManifest',
    srcDir: 'sw',
    filename: 'worker.ts',
    // The plugin adds no code that registers the worker, because src/phone/worker.ts does so.
    injectRegister: false,
    manifest: manifest(environment['VITE_COMPANY_NAME'] || 'AeroPuente'),
    manifestFilename: MANIFEST,
    includeManifestIcons: false,
    injectManifest: {
      // Engines before 2023 accept only a classic worker in one file.
      rollupFormat: 'iife',
      globPatterns: ['**/*.{html,js,css,svg,woff2}'],
      // Files that the worker does not cache: the calls' library, which is larger than the rest of the page, and
      // `worker/`, which may hold the worker of an earlier build (nameWorker).
      globIgnores: [`${CALL_LIBRARY}*`, 'worker/**'],
      manifestTransforms: [orderList(directory, essential.has)],
      envOptions: { envDir: false },
    },
    integration: {
      configureCustomSWViteBuild(options) {
        options.logLevel = 'warn';
        options.build!.reportCompressedSize = false;
        options.resolve = {
          alias: [{ find: /^.*\/file-sender\.ts$/, replacement: path.resolve('sw/file-sender.ts') }],
        };
      },
    },
  });
  return [...plugins, essential.plugin, deferManifest()];
}

/**
 * Marks the files that the worker caches even in data saver mode, and sorts the list. Descending order makes it 50
 * bytes smaller when compressed. The manifest comes last, because no page waits for the manifest.
 */
const orderList =
  (directory: string, isEssential: (url: string) => boolean): Precache =>
  (entries) => {
    const files = entries
      .filter(({ url }) => url !== MANIFEST)
      .toSorted((a, b) => (a.url < b.url ? 1 : -1))
      .map((entry) => (isEssential(entry.url) ? { ...entry, essential: true } : entry));
    const document = files.find(({ url }) => url === 'index.html')!;
    // Hash of the built page. An installing worker compares the hash with that of the open page: if both are equal, the
    // page is from the worker's own release (sw/files.ts).
    const hash = createHash('sha256')
      .update(readFileSync(path.join(directory, document.url)))
      .digest('base64');
    document.integrity = `sha256-${hash}`;
    return { manifest: [...files, ...entries.filter(({ url }) => url === MANIFEST)] };
  };

/** Wraps the manifest link in noscript: with scripts it is fetched after the first paint (src/landing/client.ts). */
function deferManifest(): Plugin {
  return {
    name: 'defer-manifest',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/<link rel="manifest"[^>]*>/, '<noscript>$&</noscript>'),
    },
  };
}

/**
 * Moves the worker's code to a file with a hash in its name. Browsers keep that file as a compression dictionary, so an
 * update downloads only the difference. The file with the fixed name only imports the other.
 */
export async function nameWorker(directory: string): Promise<void> {
  const file = path.join(directory, WORKER);
  const code = await readFile(file);
  const name = `worker/site-${createHash('sha256').update(code).digest('base64url').slice(0, 8)}.js`;
  await mkdir(path.join(directory, 'worker'), { recursive: true });
  await writeFile(path.join(directory, name), code);
  await writeFile(file, `importScripts('/${name}');\n`);
}
