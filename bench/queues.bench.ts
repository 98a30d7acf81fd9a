import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { Phone } from '../tests/chaos/browser.ts';
import { FAULTS } from '../tests/chaos/faults.ts';
import type { Fault } from '../tests/e2e/service.ts';
import { Line } from './line.ts';
import { asDocumented, OURS, peerQueue, syncAgain, type Queue } from './queues.ts';
import type { Measured, Size } from './results.ts';
import { buildPeer, queueFolders, QUEUES, type QueueFolder } from './sites.ts';

export const title = 'Queues of unsent quotes';

interface Weather {
  readonly fault?: Fault;
  /** Functions that run before the first quote, and after the page has shown a result for the last one. */
  readonly begin?: (phone: Phone, line: Line) => Promise<unknown>;
  readonly end?: (phone: Phone, page: Page, line: Line) => Promise<unknown>;
}

const LOST = FAULTS['request lost'];
const goOffline = (phone: Phone) => phone.context.setOffline(true);
const closeTab = (_: Phone, page: Page) => page.close();
const killPhone = async (phone: Phone) => {
  await phone.die();
  await phone.turnOn();
};

/** Faults. tests/chaos/storm.ts mixes them; each run here has one fault from start to end. */
const WEATHERS: Readonly<Record<string, Weather>> = {
  ...Object.fromEntries(Object.entries(FAULTS).map(([name, fault]) => [name, { fault }])),
  offline: { begin: goOffline },
  'offline, tab closed': { begin: goOffline, end: closeTab },
  'offline, phone killed': { begin: goOffline, end: killPhone },
  'connection lost, tab closed': { fault: LOST, end: closeTab },
  'connection lost, phone killed': { fault: LOST, end: killPhone },
  'connection lost, worker stopped': { fault: LOST, end: (phone, page) => phone.stopWorkers(page) },
};

const SIZES = {
  whole: { weathers: Object.keys(WEATHERS), quotes: 5, lasts: 9000, recovery: 30_000 },
  smoke: { weathers: ['answer lost'], quotes: 1, lasts: 300, recovery: 5000 },
};

const FATES = ['arrived once', 'twice', 'lost', 'stuck', 'wrongly told', 'to be typed again', 'nobody knows'] as const;
type Fate = (typeof FATES)[number];
type Fates = Record<Fate, number>;

export async function measure(size: Size): Promise<Measured> {
  const peers: readonly QueueFolder[] = size === 'whole' ? queueFolders : ['tanstack'];
  const built = await Promise.all(peers.map(buildPeer));
  // Peers whose quotes have no id are measured a second time, with ids.
  const withId = peers.flatMap((name, at) =>
    name === 'transactions' ? [] : peerQueue(`${QUEUES[name]}, with an id`, built[at]!, true),
  );
  const queues = [OURS, ...asDocumented(peers, built)];
  try {
    // The runs may be parallel, because no durations are measured here.
    const fates = await Promise.all(queues.map((queue) => storm(queue, size)));
    fates.push(...(await Promise.all(withId.map((queue) => storm(queue, size)))));
    const byName = <Value>(values: readonly Value[]) =>
      Object.fromEntries(values.map((value, at) => [[...queues, ...withId][at]!.name, value]));
    const { quotes, lasts, weathers } = SIZES[size];
    return {
      tables: [
        {
          title: `${quotes * weathers.length} quotes on a failing connection, by outcome`,
          note: `For each of ${weathers.length} faults of the connection, ${quotes} quotes are sent while the fault lasts (${lasts / 1000} s). Then the connection is good and the page is opened again. If a queue registered Background Sync, the event \`sync\` fires at once.\n- Lost: the page said that it keeps the quote, but the quote never arrives.\n- Stuck: the quote still waits at the end.\n- Wrongly told: the page showed a false result, ‘sent’ for a quote that never arrived, or ‘failed’ for one that arrived or still waits.\n- To be typed again: the page correctly said ‘failed’, so the visitor has to fill in the form again.\n- Nobody knows: the page showed no result.\n- With an id: by themselves Workbox, TanStack Query and the tutorials send no id, because their documentation mentions none. In the columns ‘with an id’ the page adds a random id to each quote, and the server’s table stores each id once.\n- TanStack Query tries three more times within seven seconds, so it gives up before the fault ends; it stores its queue at most once a second.\n- PowerSync is not compared, because it needs its own service, which is distributed only as a container.`,
          figures: byName(fates.map(totals)),
          more: ['arrived once'],
          plot: { file: 'queues', measures: ['arrived once', 'twice', 'lost', 'wrongly told'] },
        },
        {
          title: 'Quotes that did not arrive once, by fault',
          note: 'A dash means that all quotes arrived exactly once.',
          figures: byName(fates.map(inWords)),
        },
      ],
    };
  } finally {
    await Promise.all(built.map((directory) => rm(directory, { recursive: true })));
  }
}

const totals = (fates: Record<string, Fates>): Fates => {
  const sum = (fate: Fate) => Object.values(fates).reduce((total, one) => total + one[fate], 0);
  return Object.fromEntries(FATES.map((fate) => [fate, sum(fate)])) as Fates;
};

const inWords = (fates: Record<string, Fates>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fates).map(([weather, counts]) => {
      const bad = FATES.slice(1).filter((fate) => counts[fate] > 0);
      return [weather, bad.map((fate) => `${counts[fate]} ${fate}`).join(', ') || '–'];
    }),
  );

async function storm(queue: Queue, size: Size): Promise<Record<string, Fates>> {
  const fates: Record<string, Fates> = {};
  for (const name of SIZES[size].weathers) {
    // A busy machine may fail to start the browser. The queue is not at fault then, so the run is tried twice more.
    const attempt = () => through(queue, WEATHERS[name]!, size);
    fates[name] = await attempt().catch(attempt).catch(attempt);
  }
  return fates;
}

async function through(queue: Queue, weather: Weather, size: Size): Promise<Fates> {
  const { quotes, lasts, recovery } = SIZES[size];
  const line = new Line(queue.directory);
  await line.up();
  const phone = await Phone.unpack();
  try {
    const page = await queue.open(phone, line);
    line.fault = weather.fault ?? { kind: 'none' };
    await weather.begin?.(phone, line);
    const names = Array.from({ length: quotes }, (_, at) => `Tormenta ${at}`);
    for (const name of names) await queue.ask(page, name);
    const began = Date.now();
    const allSpoken = async () => Object.keys(await queue.words(page)).length === quotes;
    while (!(await allSpoken()) && Date.now() - began < lasts) await wait(50);
    // Without a fault that ends the visit, the page stays open until the time is over, because a shown result may still
    // change.
    if (!weather.end) await wait(Math.max(0, lasts - (Date.now() - began)));
    const words = await queue.words(page);
    await weather.end?.(phone, page, line);
    if (weather.end) await wait(Math.max(0, lasts - (Date.now() - began)) / 3);
    line.fault = { kind: 'none' };
    await phone.context.setOffline(false);
    // Queues that send in the background get time to do so before the visitor opens the page again.
    await wait(size === 'whole' ? 2000 : 0);
    const nextPage = await queue.open(phone, line);
    await syncAgain(phone, nextPage, line.origin);
    const waiting = await settled(queue, nextPage, line, names, recovery);
    const last = { ...words, ...(await queue.words(nextPage)) };
    const counts = Object.fromEntries(FATES.map((fate) => [fate, 0])) as Fates;
    for (const name of names) counts[fateOf(last[name], line.countOf(name), waiting.includes(name))] += 1;
    return counts;
  } finally {
    await phone.throwAway();
    await line.down();
  }
}

function fateOf(word: string | undefined, count: number, waits: boolean): Fate {
  if (count > 1) return 'twice';
  if (word === 'failed' && (count > 0 || waits)) return 'wrongly told';
  if (count === 1) return 'arrived once';
  if (waits) return 'stuck';
  if (word === 'sent') return 'wrongly told';
  if (word === 'kept') return 'lost';
  return word === 'failed' ? 'to be typed again' : 'nobody knows';
}

/** Gives the queue up to `longest` milliseconds to send all quotes. Returns those that still wait. */
async function settled(queue: Queue, page: Page, line: Line, names: readonly string[], longest: number) {
  const began = Date.now();
  for (;;) {
    const waiting = await queue.waiting(page);
    const missing = names.filter((name) => line.countOf(name) === 0);
    const isOver = waiting.length === 0 && (missing.length === 0 || Date.now() - began > longest / 5);
    if (isOver || Date.now() - began > longest) return waiting;
    await wait(200);
  }
}
