import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, createServer as createVite, type InlineConfig } from 'vite';
import { scopedName } from '../build/class-names.ts';
import { constants, readEnvironment } from '../build/environment.ts';
import { target } from '../build/styles.ts';
import { inlineTokens } from '../build/tokens.ts';
import { openSite } from '../server/site.ts';

const PEERS = path.join(import.meta.dirname, 'peers');

/** Programs that our outbox is compared with: folder in bench/peers, and name in the documents. */
export const QUEUES = {
  workbox: 'Workbox',
  tanstack: 'TanStack Query',
  tutorial: 'tutorials',
  transactions: 'TanStack offline-transactions',
} as const;
export type QueueFolder = keyof typeof QUEUES;

export const queueFolders = Object.keys(QUEUES) as QueueFolder[];

/** Returns Vite's default configuration, plus what our sources need to compile. */
function configuration(name: string): InlineConfig {
  return {
    root: path.join(PEERS, name),
    configFile: false,
    envDir: false,
    publicDir: path.resolve('public'),
    logLevel: 'error',
    define: constants(readEnvironment()),
    plugins: [
      {
        name: 'without-islands',
        enforce: 'pre',
        resolveId: (source) => (source.endsWith('/island.tsx') ? path.join(PEERS, 'page/island.js') : null),
      },
      react(),
      inlineTokens(),
    ],
    css: { modules: { generateScopedName: scopedName } },
  };
}

/** Builds a peer: the page in a single chunk, and the worker if there is one. */
export async function buildPeer(name: string): Promise<string> {
  const outDir = await mkdtemp(path.join(tmpdir(), `aeropuente-${name}-`));
  const shared = { outDir, emptyOutDir: false, reportCompressedSize: false, target };
  const config = configuration(name);
  await build({ ...config, build: { ...shared, rolldownOptions: { output: { codeSplitting: false } } } });
  if (existsSync(path.join(PEERS, name, 'worker.js'))) {
    const output = { entryFileNames: 'worker.js', format: 'iife' } as const;
    const input = path.join(PEERS, name, 'worker.js');
    await build({ ...config, publicDir: false, build: { ...shared, rolldownOptions: { input, output } } });
  }
  await finish(outDir);
  return outDir;
}

/** Adds the files that openSite() needs, and compresses each text file. */
async function finish(directory: string): Promise<void> {
  if (!existsSync(path.join(directory, '404.html'))) await writeFile(path.join(directory, '404.html'), 'Not found');
  await writeFile(path.join(directory, '_headers'), '');
  for (const name of await readdir(directory, { recursive: true })) {
    const file = path.join(directory, name);
    if (/\.(html|js|css|svg)$/.test(name)) await writeFile(`${file}.br`, brotliCompressSync(await readFile(file)));
  }
}

const htmlOnly = () => copyWith('dist', (html) => html.replaceAll(/<script[\s\S]*?<\/script>/g, ''));

/** Copies our page with only its text and one line of styles: no version of the page can be lighter. */
export const wordsOnly = () =>
  copyWith('dist', (html) =>
    html
      .replaceAll(
        /<(script|style|svg)\b[\s\S]*?<\/\1>|<(link|img)\b[^>]*>| (class|style|data-[\w-]+|aria-[\w-]+)="[^"]*"/g,
        '',
      )
      .replace('</head>', '<style>body{font:1rem/1.5 sans-serif}</style></head>'),
  );

/** Builds our page prerendered with inline styles, like the real one, but hydrated as a whole instead of in islands. */
async function hydratedWhole(spa: string): Promise<string> {
  const vite = await createVite({
    ...configuration('page'),
    appType: 'custom',
    server: { middlewareMode: true, ws: false },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { html } = (await vite.ssrLoadModule('/render.js')) as { html: () => string };
    const [sheet] = (await readdir(path.join(spa, 'assets'))).filter((name) => name.endsWith('.css'));
    const css = await readFile(path.join(spa, 'assets', sheet!), 'utf8');
    return await copyWith(spa, (document) =>
      document
        .replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${css}</style>`)
        .replace('<div id="root"></div>', () => `<div id="root">${html()}</div>`),
    );
  } finally {
    await vite.close();
  }
}

async function copyWith(site: string, change: (html: string) => string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'aeropuente-site-'));
  await cp(site, directory, { recursive: true });
  const file = path.join(directory, 'index.html');
  await writeFile(file, change(await readFile(file, 'utf8')));
  await finish(directory);
  return directory;
}

export interface Served {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

export async function serve(directory: string): Promise<Served> {
  const server = createServer(openSite(directory)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://localhost:${(server.address() as AddressInfo).port}/`,
    stop: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Sites {
  /** Folder of each page, ours first. */
  readonly pages: Readonly<Record<string, string>>;
  readonly remove: () => Promise<void>;
}

/** Builds the page in three other ways, to compare them with ours in dist. */
export async function buildPages(): Promise<Sites> {
  const spa = await buildPeer('page');
  const made = { 'HTML only': await htmlOnly(), 'hydrated whole': await hydratedWhole(spa), 'Vite + React': spa };
  return {
    pages: { ours: 'dist', ...made },
    remove: async () => void (await Promise.all(Object.values(made).map((page) => rm(page, { recursive: true })))),
  };
}
