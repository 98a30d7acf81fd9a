import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { buildIfStale } from '../../build/build-if-stale.ts';
import { chanceFrom } from '../chance.ts';
import { Service } from '../e2e/service.ts';
import { useOwnSettings } from '../own-settings.ts';
import { scratchFolder } from '../scratch.ts';
import { Phone, readEntries, submitQuote, type Kept } from './browser.ts';
import { CuttableDisk } from './cuttable-disk.ts';
import { FAULTS } from './faults.ts';

// Submits quotes while random faults, chosen by a seed, hit page, worker, server and database:
// `npm run chaos -- --n 2000 --seed 1`

const { values: options } = parseArgs({
  options: { n: { type: 'string', default: '300' }, seed: { type: 'string', default: String(Date.now() % 100_000) } },
});
const wanted = Number(options.n);
const seed = Number(options.seed);
if (!Number.isInteger(wanted) || wanted < 1 || !Number.isInteger(seed)) {
  console.error('Usage: npm run chaos -- --n <submissions> --seed <whole number>');
  process.exit(2);
}

const chance = chanceFrom(seed);
const pick = <T>(choices: readonly T[]): T => choices[Math.floor(chance() * choices.length)]!;

const LONGEST_DRAIN = 120_000;
const ROUGH = [closeTab, powerCut, oldBackup];
const WEATHER = [reload, offline, stopWorkers, lineDown, killServer, killPhone, ...ROUGH, ...ROUGH];
const TABS = 3;

useOwnSettings();
await buildIfStale();
const folder = await mkdtemp(path.join(scratchFolder(), 'aeropuente-'));
const disk = new CuttableDisk(folder);
await disk.settle();
const service = await Service.start(disk.dataDir, disk.environment);
service.fault = () => (chance() < 0.5 ? { kind: 'none' } : pick(Object.values(FAULTS)));
const phone = await Phone.unpack();
/** Quotes that the page showed as stored, each with the fault active at the time. */
const acknowledged = new Map<string, string>();
let hasBackup = false;
let weather = 'calm';
const events: Record<string, number> = {};
const tally = { submitted: 0 };

const began = performance.now();
try {
  while (tally.submitted < wanted) await survive(step);
  if (!phone.isOn) await phone.turnOn();
  const left = await drain();
  report(left, await judge(left));
} finally {
  await phone.throwAway();
  await service.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Runs an event, and ignores errors of killed pages and browsers; any other error ends the run. */
async function survive(deed: () => Promise<void>): Promise<void> {
  try {
    await deed();
  } catch (error) {
    if (!/closed|crash|detached|did not start|Timeout|ERR_|Target|Session|disconnected/i.test(String(error)))
      throw error;
  }
}

function report(left: readonly Kept[], result: Record<string, readonly string[]>): void {
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  const counts = `${tally.submitted} submitted, ${acknowledged.size} acknowledged, ${left.length} on the phone`;
  console.log(`seed ${seed}: ${counts}, ${service.inserts.length} requests, ${seconds} s`);
  const happened = Object.entries(events).map(([name, times]) => `${times} × ${name}`);
  console.log(`events: ${happened.join(', ')}; the server answered ${JSON.stringify(service.answers)}`);
  for (const [name, all] of Object.entries(result)) {
    const known = all.map((one) => `${one} (${acknowledged.get(one) ?? 'not acknowledged'})`);
    console.log(`${name} ${all.length}${all.length > 0 ? `: ${known.slice(0, 10).join(', ')}` : ''}`);
  }
  process.exitCode = Object.values(result).some((all) => all.length > 0) ? 1 : 0;
}

async function step(): Promise<void> {
  // The previous event may have killed the browser and failed to restart it.
  if (!phone.isOn) {
    await phone.die();
    await phone.turnOn();
  }
  const roll = chance();
  if (roll < 0.8) return ask(await tab());
  const event = pick(WEATHER);
  events[event.name] = (events[event.name] ?? 0) + 1;
  weather = event.name;
  await event();
  weather = `after ${event.name}`;
}

/** Returns a random open tab, or a new tab if fewer than three are open. */
async function tab(): Promise<Page> {
  const pages = phone.context.pages().filter((page) => page.url().startsWith(service.origin));
  if (pages.length >= TABS || (pages.length > 0 && chance() < 0.9)) return pick(pages);
  const page = await phone.context.newPage();
  page.setDefaultTimeout(8000);
  await page.goto(service.origin, { waitUntil: 'domcontentloaded' });
  return page;
}

/** Submits the form, and notes the quote as acknowledged once the page shows it as stored. */
async function ask(page: Page): Promise<void> {
  tally.submitted += 1;
  const name = `Tormenta ${seed}-${tally.submitted}`;
  if ((await submitQuote(page, name, tally.submitted, 7000)) !== undefined) acknowledged.set(name, weather);
}

async function reload(): Promise<void> {
  await (await tab()).reload({ waitUntil: 'domcontentloaded' });
}

async function closeTab(): Promise<void> {
  await (await tab()).close();
}

async function offline(): Promise<void> {
  await phone.context.setOffline(true);
  try {
    await ask(await tab());
  } finally {
    await phone.context.setOffline(false);
  }
}

async function stopWorkers(): Promise<void> {
  await phone.stopWorkers(await tab());
}

async function lineDown(): Promise<void> {
  await tab();
  await service.lineDown();
  try {
    await ask(await tab());
  } finally {
    await service.lineUp();
  }
}

async function killServer(): Promise<void> {
  await service.kill();
  try {
    await ask(await tab());
  } finally {
    await service.up();
  }
}

/** Kills the server. The disk keeps all synced writes and a random part of the others. */
async function powerCut(): Promise<void> {
  const asking = ask(await tab()).catch(() => undefined);
  await wait(chance() * 1000);
  await service.kill();
  await disk.cut(chance);
  await service.up();
  await asking;
}

/** Makes a backup at the first call. Later calls restore this backup, and so lose everything stored since. */
async function oldBackup(): Promise<void> {
  if (!hasBackup) {
    await disk.backUp();
    hasBackup = true;
    return;
  }
  await service.kill();
  await disk.restore();
  await service.up();
  await (await tab()).reload({ waitUntil: 'domcontentloaded' });
}

/** Kills the phone’s browser at a random moment up to 0.3 s after a submit. */
async function killPhone(): Promise<void> {
  const asking = ask(await tab()).catch(() => undefined);
  await wait(chance() * 300);
  await phone.die();
  await asking;
  await phone.turnOn();
}

/** Ends the faults. A single open page must then send everything that waits, without a click. */
async function drain(): Promise<readonly Kept[]> {
  service.fault = () => ({ kind: 'none' });
  await phone.context.setOffline(false);
  const page = await phone.context.newPage();
  await page.goto(service.origin);
  const until = Date.now() + LONGEST_DRAIN;
  for (;;) {
    const entries = await readEntries(page);
    // After a restore the server lacks acknowledged quotes until the page has sent all of them again.
    const stored = new Set((await service.quotes()).map(({ nombre }) => nombre));
    const isAllThere = [...acknowledged.keys()].every((name) => stored.has(name));
    if ((isAllThere && entries.every(({ state }) => state.kind !== 'waiting')) || Date.now() > until) return entries;
    await wait(500);
  }
}

async function judge(entries: readonly Kept[]): Promise<Record<string, string[]>> {
  const stored = (await service.quotes()).map(({ nombre }) => nombre);
  const isStored = new Set(stored);
  const named = (kinds: readonly string[]) =>
    entries.filter((entry) => kinds.includes(entry.state.kind)).map((entry) => entry.quote?.nombre ?? '?');

  return {
    lost: [...acknowledged.keys()].filter((name) => !isStored.has(name) && !named(['waiting']).includes(name)),
    duplicated: stored.filter((name, at) => stored.indexOf(name) !== at),
    stuck: named(['waiting']),
    // All quotes of the run are valid, so none may be refused.
    'wrongly reported': [...named(['delivered']).filter((name) => !isStored.has(name)), ...named(['refused'])],
  };
}
