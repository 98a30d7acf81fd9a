import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { readSecret } from '../../server/database/data-directory.ts';
import { carryOut, openPglite } from '../../server/database/pglite.ts';
import { chanceFrom } from '../chance.ts';
import { ForgetfulDisk, ODDS } from './forgetful.ts';
import { deedsIn } from './recorded.ts';

/**
 * Replays the recorded writes of a disk, cuts the power at random moments, opens the database, and looks for all
 * acknowledged rows: `node check-cuts.ts <record> <work folder> <seed> <number of cuts> [<base>]`. Prints a line for
 * each cut that lost a row.
 */
const [record = '', place = '', seed = '', wanted = '', base] = process.argv.slice(2);
const chance = chanceFrom(Number(seed));

const deeds = [...deedsIn(readFileSync(record))];
/**
 * Positions of the acknowledgements in the record. Half of the cuts come right after an acknowledgement, because a cut
 * can lose the most rows then.
 */
const said = deeds.flatMap(({ deed }, at) => (deed.op === 'said' ? [at] : []));
const moments = Array.from({ length: Number(wanted) }, (_, index) =>
  index % 2 === 0 ? Math.floor(chance() * deeds.length) : said[Math.floor(chance() * said.length)]!,
).toSorted((one, other) => one - other);

const disk = new ForgetfulDisk(base);
const promised = new Map<string, Set<string>>();
let next = 0;
let acknowledged = 0;
for (const moment of moments) {
  for (; next <= moment; next += 1) {
    const { deed, payload } = deeds[next]!;
    disk.carryOut(deed, payload);
    if (deed.op === 'said') promise(deed.what);
  }
  const odds = ODDS[Math.floor(chance() * ODDS.length)]!;
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  disk.leaveIn(place, odds, chance);
  const cost = await costIn(path.join(place, 'data')).catch((error: unknown) => `does not open: ${String(error)}`);
  for (const [, ids] of rowsPromised()) acknowledged += ids.size;
  if (cost) console.log(JSON.stringify({ moment, of: deeds.length, odds, cost }));
}
rmSync(place, { recursive: true, force: true });
console.log(JSON.stringify({ cuts: moments.length, acknowledged }));
process.exit(0);

function promise(what: string): void {
  const [table = '', id = ''] = what.split(' ');
  if (table === 'erased') for (const ids of promised.values()) ids.delete(id);
  else promised.set(table, (promised.get(table) ?? new Set()).add(id));
}

/**
 * Returns the ids of the acknowledged rows of each table. The acknowledgement `opened` is left out: it names no row.
 */
function rowsPromised(): readonly (readonly [table: string, ids: ReadonlySet<string>])[] {
  return [...promised].filter(([table]) => /^(quote|webhook)/.test(table));
}

/** Describes the acknowledged rows that the database lacks; an empty text if none is missing. */
async function costIn(dataDir: string): Promise<string> {
  const folder = path.join(dataDir, 'database');
  const wasSaid = promised.size > 0;
  const secret = existsSync(dataDir) ? readSecret(dataDir) : undefined;
  if (wasSaid && !secret && !base) return 'the secret is gone';
  // Before the first acknowledgement the database may be missing: the next start then creates it.
  if (!existsSync(folder)) return wasSaid ? 'the database is gone' : '';
  const pglite = await openPglite(folder);
  try {
    for (const [table, ids] of rowsPromised()) {
      // A queued event must name its quote, and must have the id that is computed from event and quote.
      const sql =
        table === 'webhook_deliveries'
          ? `select from public.webhook_deliveries where quote_id = any($1::uuid[]) and state = 'waiting'
               and event_id = md5(concat_ws(' ', event, quote_id))::uuid`
          : `select from public.${table} where id = any($1::uuid[])`;
      const rows = await carryOut(pglite, [{ sql, parameters: [[...ids]] }], 'read');
      if (rows.length < ids.size) return `${ids.size - rows.length} of ${ids.size} ${table} are gone`;
    }
    return '';
  } finally {
    await pglite.close();
  }
}
