import { rm } from 'node:fs/promises';
import lighthouse, { type Result } from 'lighthouse';
import { launch } from '../build/browser.ts';
import { freePort } from '../tests/free-port.ts';
import { blockingTimes } from './blocking.ts';
import { median, rounded, type Cell, type Measured, type Size } from './results.ts';
import { buildPages, serve, wordsOnly, type Sites } from './sites.ts';

export const title = 'First visit: Lighthouse, mobile, simulated slow 4G';

const RUNS = { whole: 5, smoke: 1 };

const AUDITS = {
  'FCP, ms': 'first-contentful-paint',
  'LCP, ms': 'largest-contentful-paint',
  'TBT, ms': 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
} as const;

const KINDS = ['Document', 'Script', 'Stylesheet', 'Font', 'Image'];

export async function measure(size: Size): Promise<Measured> {
  const runs = RUNS[size];
  const { pages, remove } = size === 'whole' ? await withFloor() : { pages: { ours: 'dist' }, remove: async () => {} };
  try {
    const results: Record<string, Result[]> = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
    // The pages take turns, so that other load on the machine affects all of them alike.
    for (let run = 0; run < runs; run += 1)
      for (const [name, directory] of Object.entries(pages)) results[name]!.push(await visit(directory, size));
    const blocking: Record<string, Record<string, Cell>> = {};
    for (const [name, directory] of Object.entries(pages)) blocking[name] = await blockingTimes(directory, runs);
    tellWhatIsWrong(results['ours']!);
    const figures = Object.fromEntries(Object.entries(results).map(([name, own]) => [name, inFigures(own)]));
    const scores = Object.values(results['ours']![0]!.categories).map(({ title: name }) => name);
    return {
      tables: [
        {
          title: `Medians of ${runs}`,
          note: 'The page is compared with four others of the same content. ‘Words only’ is the text with one line of styles, without drawing or script; hardly any page can be faster. ‘HTML only’ is our document without script, so it stores no quote. ‘Hydrated whole’ is our HTML and styles, with one script that hydrates the whole page instead of single islands. ‘Vite + React’ is rendered in the browser, with static imports. The four have no worker, so they show nothing without signal.',
          figures,
          more: scores,
          plot: { file: 'first-visit', measures: ['LCP, ms', 'TBT, ms', 'kB in all'] },
        },
        {
          title: `Blocking time of a page that nobody touches, by processor; medians of ${runs}`,
          note: 'Sum of what each task of the main thread takes beyond 50 ms, after the first contentful paint. The processor time of the tasks on this machine is multiplied by the factor.',
          figures: blocking,
        },
      ],
    };
  } finally {
    await remove();
  }
}

async function withFloor(): Promise<Sites> {
  const [floor, { pages, remove }] = [await wordsOnly(), await buildPages()];
  const { ours, ...others } = pages;
  return {
    pages: { ours: ours!, 'words only': floor, ...others },
    remove: () => Promise.all([remove(), rm(floor, { recursive: true })]).then(() => {}),
  };
}

async function visit(directory: string, size: Size): Promise<Result> {
  const { address, stop } = await serve(directory);
  try {
    return await audit(address, size);
  } finally {
    await stop();
  }
}

function inFigures(results: readonly Result[]): Record<string, Cell> {
  const middle = (read: (result: Result) => number) => median(results.map(read));
  const scores = Object.values(results[0]!.categories).map(({ id, title: name }) => [
    name,
    Math.round(middle(({ categories }) => (categories[id]!.score ?? 0) * 100)),
  ]);
  const timings = Object.entries(AUDITS).map(([name, id]) => [
    name,
    rounded(
      middle(({ audits }) => audits[id]?.numericValue ?? Number.NaN),
      name === 'CLS' ? 3 : 0,
    ),
  ]);
  const kilobytes = (isMeant: (kind: string) => boolean) =>
    rounded(middle((result) => fetched(result, isMeant)) / 1000, 1);
  const bytes = KINDS.map((kind) => [`kB of ${kind.toLowerCase()}`, kilobytes((other) => other === kind)]);
  return Object.fromEntries([...scores, ...timings, ['kB in all', kilobytes(() => true)], ...bytes]) as Record<
    string,
    Cell
  >;
}

interface Request {
  readonly resourceType?: string;
  readonly transferSize?: number;
}

function fetched({ audits }: Result, isMeant: (kind: string) => boolean): number {
  const { items } = audits['network-requests']!.details as unknown as { items: readonly Request[] };
  return items
    .filter(({ resourceType }) => isMeant(resourceType ?? ''))
    .reduce((sum, { transferSize }) => sum + (transferSize ?? 0), 0);
}

function tellWhatIsWrong(results: readonly Result[]): void {
  const counted = results.flatMap(({ categories }) => Object.values(categories).flatMap(({ auditRefs }) => auditRefs));
  const weighing = new Set(counted.filter(({ weight }) => weight > 0).map(({ id }) => id));
  const wrong = results
    .flatMap(({ audits }) => Object.values(audits))
    .filter(({ id, score, scoreDisplayMode }) => weighing.has(id) && scoreDisplayMode === 'binary' && score !== 1);
  for (const line of new Set(wrong.map((audited) => `${audited.id}: ${audited.title}`))) console.log(`- ${line}`);
}

/** Runs Lighthouse in a new browser, without cache or worker. */
async function audit(address: string, size: Size): Promise<Result> {
  const port = await freePort();
  const browser = await launch({ args: [`--remote-debugging-port=${port}`] });
  try {
    const found = await lighthouse(address, {
      port,
      output: 'json',
      logLevel: 'error',
      ...(size === 'smoke' && { onlyCategories: ['performance'], throttlingMethod: 'provided' }),
    });
    if (!found) throw new Error('Lighthouse gave no result.');
    return found.lhr;
  } finally {
    await browser.close();
  }
}
