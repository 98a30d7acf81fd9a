import { setTimeout as wait } from 'node:timers/promises';
import { launch } from '../build/browser.ts';
import { median, rounded, type Cell } from './results.ts';
import { serve } from './sites.ts';

/** Factors by which a phone's processor may be slower than this machine's; Lighthouse always assumes 4. */
const SLOWER = [4, 6, 8];
/** Milliseconds that a task may take without blocking the visitor. Only the time above them is counted. */
const SHORT = 50;
/** Milliseconds to record; by then the worker has fetched all files and the page is idle. */
const OBSERVED = 8000;

/** Event of Chromium's trace; times in microseconds. `tdur`: processor time of the thread. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

/**
 * Measures the total blocking time after the first contentful paint, without any input. Counts processor time instead
 * of duration, because other programs on the machine hardly change the processor time of a task.
 */
export async function blockingTimes(directory: string, visits: number): Promise<Record<string, Cell>> {
  const seen: (readonly number[])[] = [];
  for (let visit = 0; visit < visits; visit += 1) seen.push(await tasksAfterPaint(directory));
  const blocking = (tasks: readonly number[], factor: number) =>
    tasks.reduce((sum, task) => sum + Math.max(0, task * factor - SHORT), 0);
  return Object.fromEntries(
    SLOWER.map((factor) => [
      `${factor} times slower: TBT, ms`,
      rounded(median(seen.map((tasks) => blocking(tasks, factor)))),
    ]),
  );
}

/** Returns the milliseconds of processor time of each main-thread task after the first contentful paint. */
async function tasksAfterPaint(directory: string): Promise<readonly number[]> {
  const { address, stop } = await serve(directory);
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true });
    const trace = await browser.newBrowserCDPSession();
    const events: TraceEvent[] = [];
    trace.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
    await trace.send('Tracing.start', {
      transferMode: 'ReportEvents',
      traceConfig: { includedCategories: ['toplevel', 'loading', 'disabled-by-default-devtools.timeline'] },
    });
    await page.goto(address);
    await wait(OBSERVED);
    const complete = new Promise((resolve) => trace.once('Tracing.tracingComplete', resolve));
    await trace.send('Tracing.end');
    await complete;
    const paint = events.findLast(({ name }) => name === 'firstContentfulPaint')!;
    let end = paint.ts;
    return events
      .filter(({ name, pid, tid }) => name.endsWith('RunTask') && pid === paint.pid && tid === paint.tid)
      .toSorted((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0))
      .flatMap(({ ts, dur = 0, tdur = 0 }) => {
        // A nested task is skipped, because the time of the outer task already includes it.
        if (ts + dur <= end) return [];
        end = ts + dur;
        return [tdur / 1000];
      });
  } finally {
    await browser.close();
    await stop();
  }
}
