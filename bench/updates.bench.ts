import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
import { buildCommit, buildWithReact, commitsOfSite } from './releases.ts';
import { rounded, type Cell, type Measured, type Size } from './results.ts';

export const title = 'Updates: what a phone fetches to have the next release';

/** What is updated to. */
const PRESENT = 'dist';
const COMMITS = 3;
const LONGEST = 60_000;
const SENTENCE = { file: 'src/content/services.ts', from: 'cuellos de botella', to: 'embudos' };
/** The patch release before the one that is built with. */
const EARLIER_REACT = '19.3.0';

const NOTE = `A real Chromium that has the earlier release, its worker and all; then another is served, and the worker looks for it until it is installed. Bytes that the server writes, over HTTP/1.1 and with headers; bodies apart, for HTTP/2 packs the headers of one file like the next. Commits are the latest of this repository that changed the site, each built with the packages of today. All are brought to the present state.`;

interface Update {
  readonly name: string;
  readonly before: string;
}

export async function measure(size: Size): Promise<Measured> {
  const folder = await mkdtemp(path.join(tmpdir(), 'aeropuente-updates-'));
  const browser = await launch();
  const ways = { ours: offerDeltas, 'whole files': async () => undefined };
  const figures: Record<string, Record<string, Cell>> = Object.fromEntries(Object.keys(ways).map((name) => [name, {}]));
  try {
    for (const make of size === 'smoke' ? [sentence] : [sentence, ...(await others(folder))]) {
      const update = await make().catch((error: unknown) => String(error).split('\n')[0]!);
      for (const [way, offer] of Object.entries(ways)) {
        if (typeof update === 'string') figures[way]![update] = 'not built';
        else Object.assign(figures[way]!, await costOf(browser, update, offer));
      }
    }
    return { tables: [{ title: 'From the release before, kB', note: NOTE, figures }] };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function sentence(): Promise<Update> {
  const made = await madeOnce('sentence', (directory) => buildWith(directory, {}, SENTENCE));
  return { name: 'a sentence of the page', before: path.join(made, 'dist') };
}

async function others(folder: string): Promise<(() => Promise<Update>)[]> {
  const { version } = JSON.parse(await readFile('node_modules/react/package.json', 'utf8')) as { version: string };
  const react = async () => ({
    name: `React ${EARLIER_REACT} to ${version}`,
    before: await buildWithReact(EARLIER_REACT, path.join(folder, 'react')),
  });
  const [, ...commits] = await commitsOfSite(COMMITS + 1);
  return [
    react,
    ...commits.map((commit, at) => async () => ({
      name: `${at + 1} back (${commit.hash}, ${commit.says.split(':')[0]!.slice(0, 30)})`,
      before: await buildCommit(commit, path.join(folder, commit.hash)),
    })),
  ];
}

async function costOf(
  browser: Browser,
  { name, before }: Update,
  offer: (site: Site, directory: string, releases: readonly string[]) => Promise<void>,
): Promise<Record<string, Cell>> {
  let site = openSite(before);
  const cost = { bytes: 0, bodies: 0, files: 0 };
  let isCounted = false;
  const server = createServer((request, response) => {
    const socket = response.socket!;
    const written = socket.bytesWritten;
    response.on('finish', () => {
      if (!isCounted) return;
      cost.bytes += socket.bytesWritten - written;
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
    await offer(next, PRESENT, [before]);
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

/** A look at it changes nothing that is counted. */
async function installed(page: Page, name: string): Promise<void> {
  const until = performance.now() + LONGEST;
  const isThere = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state === 'installed');
  while (!(await isThere())) {
    if (performance.now() > until) throw new Error(`${name}: the update was not installed.`);
    await wait(100);
  }
}
