import type { Browser, BrowserContext, Page } from '@playwright/test';
import { launch } from '../build/browser.ts';
import { fillDesk, FLOOR, GROUNDS, type Colleague, type Ground } from './grounds.ts';
import { Service } from '../tests/e2e/service.ts';
import { freshDataDirectory } from '../tests/run-folder.ts';
import { median, percentile, rounded, type Cell, type Measured, type Size } from './results.ts';
import { teachToWalk, walkControls, type Interaction, type Walk } from './walk.ts';

export const title = 'INP: every control of page and desk, from the press to the next paint';

const SLOWER = 4;
const GOOD = 100;
const SLOWEST = 10;
const IN_SMOKE = new Set(['page', 'desk']);
const LEADS = { whole: 1000, smoke: 20 };
const WALKS = { whole: 3, smoke: 1 };
const MOST = { whole: Number.POSITIVE_INFINITY, smoke: 2 };
/** No walk goes on for longer, and none begins later than the part has time for. */
const LONGEST_WALK = { whole: 100_000, smoke: 60_000 };
const LAST_BEGIN = 9 * 60_000;

export async function measure(size: Size): Promise<Measured> {
  const until = performance.now() + LAST_BEGIN;
  const dataDir = await freshDataDirectory();
  const colleague = await fillDesk(dataDir, LEADS[size]);
  const service = await Service.start(dataDir);
  const browser = await launch();
  try {
    const walks: Record<string, Walk[]> = {};
    for (let turn = 0; turn < WALKS[size]; turn += 1) {
      for (const [name, ground] of Object.entries(GROUNDS)) {
        if (performance.now() > until || (size === 'smoke' && !IN_SMOKE.has(name))) continue;
        (walks[name] ??= []).push(await walk(browser, service, colleague, ground, turn, size));
      }
    }
    return inTables(walks);
  } finally {
    await browser.close();
    await service.stop();
  }
}

async function walk(
  browser: Browser,
  service: Service,
  colleague: Colleague,
  { width, prepare, open, within }: Ground,
  turn: number,
  size: Size,
): Promise<Walk> {
  const context = await browser.newContext({ viewport: { width, height: 740 }, locale: 'es-MX' });
  try {
    const page = await context.newPage();
    closeOthers(context, page);
    await teachToWalk(page);
    await prepare?.(page, service);
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    return await walkControls(page, {
      open: (one) => open(one, service, colleague),
      within,
      by: turn % 3 === 2 ? 'keys' : 'pointer',
      most: MOST[size],
      until: performance.now() + LONGEST_WALK[size],
    });
  } finally {
    await context.close();
  }
}

/** A link may open another tab: it is pressed, and not followed. */
function closeOthers(context: BrowserContext, page: Page): void {
  context.on('page', (other) => {
    if (other !== page) void other.close();
  });
}

function inTables(walks: Readonly<Record<string, readonly Walk[]>>): Measured {
  const figures: Record<string, Record<string, Cell>> = {};
  const controls: { readonly name: string; readonly took: readonly Interaction[] }[] = [];
  const add = (name: string, all: readonly Interaction[], missed: number) => {
    const byControl = Object.values(Object.groupBy(all, ({ control }) => control)).map((each) =>
      median(each!.map(({ milliseconds }) => milliseconds)),
    );
    const times = all.map(({ milliseconds }) => milliseconds);
    figures[name] = {
      controls: byControl.length,
      presses: all.length,
      'p50, ms': percentile(times, 0.5),
      'p75, ms': percentile(times, 0.75),
      'p98, ms': percentile(times, 0.98),
      'worst, ms': percentile(times, 1),
      [`controls over ${GOOD} ms, median`]: byControl.filter((each) => each > GOOD).length,
      'seen and not pressed': missed,
    };
  };
  const every = Object.entries(walks).map(([ground, all]) => {
    const took = all.flatMap(({ interactions }) => interactions);
    const known = new Set(took.map(({ control }) => control));
    const missed = new Map(all.flatMap((each) => [...each.missed]).filter(([name]) => !known.has(name)));
    for (const [own, each] of Object.entries(Object.groupBy(took, ({ control }) => control)))
      controls.push({ name: `${ground}: ${own}`, took: each! });
    for (const [own, reason] of missed) console.log(`${ground}: ${own} was not pressed: ${reason}`);
    return {
      name: ground,
      took: took.map((each) => ({ ...each, control: `${ground}: ${each.control}` })),
      missed: missed.size,
    };
  });
  const ours = every.filter(({ name }) => name !== FLOOR);
  add(
    'all of ours',
    ours.flatMap(({ took }) => took),
    ours.reduce((sum, { missed }) => sum + missed, 0),
  );
  for (const { name, took, missed } of every) add(name, took, missed);

  const worst = (took: readonly Interaction[]) =>
    took.toSorted((one, other) => other.milliseconds - one.milliseconds)[0]!;
  const middle = (took: readonly Interaction[]) => median(took.map(({ milliseconds }) => milliseconds));
  const slowest = controls.toSorted(
    (one, other) =>
      middle(other.took) - middle(one.took) || worst(other.took).milliseconds - worst(one.took).milliseconds,
  );
  for (const { name, took } of slowest) {
    const { milliseconds, event, delay, processing, painting } = worst(took);
    console.log(
      `${String(middle(took)).padStart(5)} ${String(milliseconds).padStart(5)}  ${name} (${event}: ${delay} + ${processing} + ${painting}; ${took.length} times)`,
    );
  }
  const column = (read: (took: readonly Interaction[]) => Cell) =>
    Object.fromEntries(
      slowest
        .filter(({ name }) => !name.startsWith(FLOOR))
        .slice(0, SLOWEST)
        .map(({ name, took }) => [name, read(took)]),
    );
  return {
    tables: [
      {
        title: `All of them, a processor ${SLOWER} times as slow, ${LEADS.whole.toLocaleString('en')} leads on the desk`,
        note: `Found by themselves: buttons, links, fields, choices, summaries, rows (three of those alike) and all that takes the focus, as they come with what was pressed before; in two walks of three by pointer, in the third by keys. Event Timing, the longest event of a press, in steps of 8 ms; what took less than 16 counts as 8. A link to elsewhere is pressed and not followed; 360 px wide, and 1280 where it says wide. Bare controls: a document of a few without any style, as the floor.`,
        figures,
        isNoRace: true,
      },
      {
        title: `The slowest ${SLOWEST}`,
        isNoRace: true,
        figures: {
          'median, ms': column(middle),
          'worst, ms': column((took) => worst(took).milliseconds),
          'of it before the event': column((took) => rounded(worst(took).delay)),
          'in it': column((took) => rounded(worst(took).processing)),
          'to the paint': column((took) => rounded(worst(took).painting)),
        },
      },
    ],
  };
}
