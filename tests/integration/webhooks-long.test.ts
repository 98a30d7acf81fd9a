import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { SHORT_LIVED } from '../run-folder.ts';
import { dataDirectory } from './processes.ts';
import { byQuote, SECRET, startReceiver } from './webhook-receiver.ts';

/** `WEBHOOKS_SEED=8 npx vitest run --project long webhooks` draws other faults. */
const SEED = Number(process.env['WEBHOOKS_SEED'] ?? 27);
const QUOTES = Number(process.env['WEBHOOKS_QUOTES'] ?? 2000);
const ANSWERS = 4;
const EVENTS = QUOTES * (ANSWERS + 1);
const KILLS = 6;

test('a receiver that often fails gets 10,000 events once and in order, despite killed servers', async () => {
  const { url, received, requests, strays } = await startReceiver({ unruly: 0.1, seed: SEED });
  const dataDir = await dataDirectory();
  let life: ChildProcess | undefined;
  onTestFinished(() => void life?.kill('SIGKILL'));
  const live = async () => {
    const options = {
      execArgv: [SHORT_LIVED],
      env: { ...process.env, DATA_DIR: dataDir, HOOK: url, HOOK_SECRET: SECRET },
    };
    life = fork('tests/disk/webhooks.ts', [String(QUOTES), String(ANSWERS)], options);
    // The first message says that the database is open.
    await once(life, 'message');
    return life;
  };
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const process_ = await live();
    await expect.poll(() => received().length, { timeout: 120_000 }).toBeGreaterThan((EVENTS * kill) / (KILLS + 2));
    process_.kill('SIGKILL');
    await once(process_, 'exit');
  }
  const last = await live();
  const [queue] = (await once(last, 'message')) as [readonly { readonly event_id: string; readonly folio: string }[]];
  expect(queue).toHaveLength(EVENTS);
  const idsOf = (events: readonly (readonly [folio: string, id: string])[]) => Map.groupBy(events, ([folio]) => folio);
  expect(idsOf(received().map(({ data, id }) => [data.folio, id]))).toEqual(
    idsOf(queue.map(({ folio, event_id }) => [folio, event_id])),
  );
  expect(byQuote(received()).size).toBe(QUOTES);
  expect(requests()).toBeGreaterThan(EVENTS);
  expect(strays).toEqual([]);
});
