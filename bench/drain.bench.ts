import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { Phone } from '../tests/chaos/browser.ts';
import { Line } from './line.ts';
import { asDocumented, OURS, syncAgain, type Queue } from './queues.ts';
import { rounded, type Cell, type Measured, type Size } from './results.ts';
import { buildPeer, queueFolders, type QueueFolder } from './sites.ts';

export const title = 'Drain: how long waiting quotes take to arrive';

const WAITING = { whole: [10, 200, 1000], smoke: [2] };

export async function measure(size: Size): Promise<Measured> {
  const peers: readonly QueueFolder[] = size === 'whole' ? queueFolders : ['tanstack'];
  const built = await Promise.all(peers.map(buildPeer));
  const queues = [OURS, ...asDocumented(peers, built)];
  try {
    const figures: Record<string, Record<string, Cell>> = {};
    for (const queue of queues)
      figures[queue.name] = await growth(queue, size).catch((error: unknown) => ({ 'not measured': String(error) }));
    return {
      tables: [
        {
          title: 'Time until all quotes have arrived, and the page’s heap before sending',
          note: 'The time begins when the page is opened; a run ends after one minute. The heap is the page’s memory for JavaScript objects. Workbox and the tutorials send from their worker, whose heap is not measured.',
          figures,
        },
      ],
    };
  } finally {
    await Promise.all(built.map((directory) => rm(directory, { recursive: true })));
  }
}

async function growth(queue: Queue, size: Size): Promise<Record<string, Cell>> {
  const figures: Record<string, Cell> = {};
  for (const count of WAITING[size]) {
    const line = new Line(queue.directory);
    await line.up();
    const phone = await Phone.unpack();
    try {
      const first = await queue.open(phone, line);
      await phone.context.setOffline(true);
      await queue.keep(first, count);
      const waits = (await queue.waiting(first)).length;
      // The page stays open until all quotes are stored. Some of the compared programs take long: TanStack up to a
      // second.
      await wait(1500);
      await first.close();
      await phone.context.setOffline(false);
      const began = performance.now();
      const page = await queue.open(phone, line);
      const heap = await usedHeap(page);
      await syncAgain(phone, page, line.origin);
      while (line.rows.length < waits && performance.now() - began < 60_000) await wait(20);
      const took = rounded((performance.now() - began) / 1000, 1);
      const isWhole = waits === count && line.rows.length >= count;
      figures[`${count} waiting, s`] = isWhole ? took : `${line.rows.length} of ${count} arrived`;
      figures[`${count} waiting, page’s heap in MB`] = heap;
    } finally {
      await phone.throwAway();
      await line.down();
    }
  }
  return figures;
}

async function usedHeap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return rounded(usedSize / 1e6, 1);
}
