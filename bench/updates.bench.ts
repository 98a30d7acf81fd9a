import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from '@playwright/test';
import { launch } from '../build/browser.ts';
import { offerDeltas } from '../server/deltas.ts';
import { openSite, type Site } from '../server/site.ts';
import { buildWith } from '../tests/e2e/build-with.ts';
import { madeOnce } from '../tests/run-folder.ts';
import { buildCommit, commitsOfSite } from './releases.ts';
import { rounded, type Cell, type Measured, type Size } from './results.ts';

export const title = 'Updates: what a phone fetches for the next release';

/** Folder of the release to which phones update. */
const PRESENT = 'dist';
const COMMITS = 3;
const LONGEST = 60_000;
const SENTENCE = { file: 'src/content/services.ts', from: 'cuellos de botella', to: 'embudos' };

const NOTE = `Chromium has installed an earlier release with its worker. Then the server serves the new release, and Chromium installs the new worker. ‘On the wire’ counts the bytes that the server sends over HTTP/1.1, with headers. ‘Bodies’ counts the same bytes without the headers; HTTP/2 makes headers much smaller. The earlier releases are the latest commits of this repository that changed the site, each built with today’s packages.`;

interface Update {
  readonly name: string;
  readonly build: () => Promise<string>;
}

export async function measure(size: Size): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'aeropuente-updates-'));
  const browser = await launch();
  const ways = { ours: offerDeltas, 'whole files': async () => undefined };
  const figures: Record<string, Record<string, Cell>> = Object.fromEntries(Object.keys(ways).map((name) => [name, {}]));
  try {
    for (const { name, build } of size === 'smoke' ? [SENTENCE_UPDATE] : [SENTENCE_UPDATE, ...(await others(folder))]) {
      const earlier = await build().catch(console.error);
      for (const [way, offer] of Object.entries(ways))
        Object.assign(figures[way]!, earlier ? await costOf(browser, name, earlier, offer) : { [name]: 'not built' });
    }
    return { tables: [{ title: 'From the previous release, kB', note: NOTE, figures }] };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const SENTENCE_UPDATE: Update = {
  name: 'a sentence of the page',
  build: async () => path.join(await madeOnce('sentence', (directory) => buildWith(directory, {}, SENTENCE)), 'dist'),
};

async function others(folder: string): Promise<Update[]> {
  const [, ...commits] = await commitsOfSite(COMMITS + 1);
  return commits.map((commit, at) => ({
    name: `${at + 1} back (${commit.hash}, ${commit.says.split(':')[0]!.slice(0, 30)})`,
    build: () => buildCommit(commit, path.join(folder, commit.hash)),
  }));
}

async function costOf(
  browser: Browser,
  name: string,
  earlier: string,
  offer: (site: Site, directory: string, releases: readonly string[]) => Promise<void>,
): Promise<Record<string, Cell>> {
  let site = openSite(earlier);
  const cost = { bytes: 0, bodies: 0, files: 0 };
  let isCounted = false;
  const server = createServer((request, response) => {
    const socket = response.socket!;
    const start = socket.bytesWritten;
    response.on('finish', () => {
      if (!isCounted) return;
      cost.bytes += socket.bytesWritten - start;
      cost.files += 1;
    });
    const end = response.end.bind(response) as (content?: Buffer) => typeof response;
    response.end = ((content?: Buffer) => {
      if (isCounted) cost.bodies += content?.length ?? 0;
      return end(content);
    }) as typeof response.end;
    site(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'es-MX' });
  try {
    const page = await context.newPage();
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`, { waitUntil: 'load' });
    await page.waitForFunction(() => navigator.serviceWorker.controller, undefined, { timeout: LONGEST });
    const next = openSite(PRESENT);
    await offer(next, PRESENT, [earlier]);
    site = next;
    isCounted = true;
    const isOther = await page.evaluate(async () => {
      const registration = await (await navigator.serviceWorker.ready).update();
      return Boolean(registration.installing ?? registration.waiting);
    });
    if (isOther) await installed(page, name);
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
  }
  return {
    [`${name}: on the wire`]: rounded(cost.bytes / 1000, 1),
    [`${name}: bodies`]: rounded(cost.bodies / 1000, 1),
    [`${name}: files`]: cost.files,
  };
}

/**
 * Waits until the worker of the new release is installed. The polling sends no request, so it adds nothing to the
 * counted bytes.
 */
async function installed(page: Page, name: string): Promise<void> {
  const until = performance.now() + LONGEST;
  const isThere = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state === 'installed');
  while (!(await isThere())) {
    if (performance.now() > until) throw new Error(`${name}: the update was not installed.`);
    await wait(100);
  }
}
