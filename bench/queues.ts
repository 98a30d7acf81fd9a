import { randomUUID } from 'node:crypto';
import type { CDPSession, Page } from '@playwright/test';
import { readEntries, submitQuote, type Kept, type Phone } from '../tests/chaos/browser.ts';
import type { Line } from './line.ts';
import { seed } from './seeding.ts';
import { QUEUES, type QueueFolder } from './sites.ts';

/** A page that stores and sends quotes: ours, or a peer's. */
export interface Queue {
  readonly name: string;
  readonly directory: string;
  readonly open: (phone: Phone, line: Line) => Promise<Page>;
  readonly ask: (page: Page, name: string) => Promise<unknown>;
  /** Last message of the page to the visitor about each quote: `kept`, `sent` or `failed`. */
  readonly words: (page: Page) => Promise<Record<string, string>>;
  readonly waiting: (page: Page) => Promise<string[]>;
  /** Stores `count` quotes that wait to be sent. */
  readonly keep: (page: Page, count: number) => Promise<unknown>;
}

/** Loads the page, in the open tab if there is one. */
async function load(phone: Phone, line: Line): Promise<Page> {
  const open = phone.context.pages().find((candidate) => candidate.url().startsWith(line.origin));
  const page = open ?? (await phone.context.newPage());
  await page.goto(line.origin);
  return page;
}

const ask = (page: Page, nombre: string) => submitQuote(page, nombre, 1 + Math.floor(Math.random() * 1e6), Infinity);
const nameOf = ({ quote }: Kept) => quote?.nombre ?? '?';
const WORDS: Readonly<Record<string, string>> = { waiting: 'kept', delivered: 'sent', refused: 'failed' };

export const OURS: Queue = {
  name: 'ours',
  directory: 'dist',
  open: async (phone, line) => {
    const page = await load(phone, line);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    return page;
  },
  ask,
  words: async (page) =>
    Object.fromEntries((await readEntries(page)).map((entry) => [nameOf(entry), WORDS[entry.state.kind] ?? ''])),
  waiting: async (page) => (await readEntries(page)).filter(({ state }) => state.kind === 'waiting').map(nameOf),
  keep: async (page, count) => {
    // The first quote is sent through the form, so that the page creates its database and a key in localStorage.
    // Without this key the page would not look for waiting quotes.
    await ask(page, 'W');
    await seed(page, count - 1);
  },
};

interface PeerPage {
  readonly words: Record<string, string>;
  readonly ask: (quote: object) => Promise<void>;
  readonly waiting: () => Promise<string[]>;
}

const QUOTE = { empresa: 'P', email: 'p@p.mx', telefono: '6641234567', tipo_carga: 'general' };

/**
 * Returns the queues of other programs (peers), set up as their documentation says. Only offline-transactions then
 * gives each quote an id. `built`: folder of each peer's built page.
 */
export const asDocumented = (peers: readonly QueueFolder[], built: readonly string[]): Queue[] =>
  peers.map((name, at) => peerQueue(QUEUES[name], built[at]!, name === 'transactions'));

/** Returns the queue of a peer. `withId`: each quote has an id, and the server stores each id only once. */
export const peerQueue = (name: string, directory: string, withId: boolean): Queue => ({
  name,
  directory,
  open: async (phone, line) => {
    const page = await load(phone, line);
    await page.waitForFunction(() => 'ask' in globalThis);
    return page;
  },
  // The result is not awaited, because a peer may never give one.
  ask: (page, nombre) =>
    page.evaluate((quote) => void (globalThis as unknown as PeerPage).ask(quote), {
      ...QUOTE,
      nombre,
      peso: 1,
      ...(withId && { id: randomUUID() }),
    }),
  words: (page) => page.evaluate(() => (globalThis as unknown as PeerPage).words),
  waiting: (page) => page.evaluate(() => (globalThis as unknown as PeerPage).waiting()),
  keep: (page, count) =>
    page.evaluate(
      (quotes) => Promise.all(quotes.map((quote) => (globalThis as unknown as PeerPage).ask(quote))),
      Array.from({ length: count }, (_, at) => ({
        ...QUOTE,
        nombre: `W${at}`,
        peso: 1 + at,
        ...(withId && { id: randomUUID() }),
      })),
    ),
});

/** Fires the pending `sync` events of the worker, as Chromium does when the connection returns. */
export async function syncAgain(phone: Phone, page: Page, origin: string): Promise<void> {
  const tags = await page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration()) as
      | (ServiceWorkerRegistration & { sync: { getTags: () => Promise<string[]> } })
      | undefined;
    return registration ? registration.sync.getTags() : [];
  });
  if (tags.length === 0) return;
  const session = await phone.context.newCDPSession(page);
  const registrationId = await registrationOf(session, origin);
  for (const tag of tags)
    await session.send('ServiceWorker.dispatchSyncEvent', { origin, registrationId, tag, lastChance: false });
  await session.detach();
}

/** Returns the id of the worker's registration at this origin, for the DevTools protocol. */
async function registrationOf(session: CDPSession, origin: string): Promise<string> {
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(origin));
      if (found) resolve(found.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  return registered;
}
