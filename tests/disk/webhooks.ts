import { setTimeout as wait } from 'node:timers/promises';
import type { Statement } from '../../server/database/database.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { KEEP_PROMISE } from '../../server/database/promise.ts';
import { openQuoteStore } from '../../server/quote-store.ts';
import { startWebhooks } from '../../server/webhooks/sender.ts';

/**
 * Runs a server that sends webhooks while quotes arrive and are answered: `fork('webhooks.ts', [quotes, answers to each
 * quote])`. Ends when all webhooks are sent. After a kill, the next process sends the remaining webhooks.
 */
const [quotes = 0, answers = 0] = process.argv.slice(2).map(Number);
const { DATA_DIR = '', HOOK = '', HOOK_SECRET = '' } = process.env;
/** Number of rows that a transaction stores. */
const BATCH = 40;

// The log is off, because the server would print a line for each attempt to send.
console.log = () => undefined;
const settings = [
  KEEP_PROMISE,
  { sql: 'update private.quote_limits set per_address = 0, overall = 0', parameters: [] },
];
const { database } = await openQuoteStore(
  { dataDir: DATA_DIR },
  { migrations: migrationsFolder, serves: true, settings },
);
const run = <Row extends object>(sql: string, ...parameters: NonNullable<Statement['parameters']>[number][]) =>
  database.transaction<Row>([{ sql, parameters }]);

await run(
  `insert into public.webhooks (url, events, secret) select $1, '{quote.received,quote.answered}', $2
   where not exists (select from public.webhooks)`,
  HOOK,
  HOOK_SECRET,
);
startWebhooks({
  database,
  hosts: [new URL(HOOK).host],
  pauses: Array.from({ length: 999 }, () => 0.02),
  lookEvery: 50,
  lease: 1500,
  patience: 300,
});
process.send!('open');

async function answerSome(): Promise<number> {
  const answered = await database.transaction([
    { sql: "select set_config('role', 'service_role', true)", parameters: [] },
    {
      sql: `insert into public.quote_answers (quote_id, kind, body) select id, 'mensaje', 'Sale el jueves.'
            from public.quotes as q where (select count(*) from public.quote_answers where quote_id = q.id) < $1 limit $2
            returning id`,
      parameters: [answers, BATCH],
    },
  ]);
  return answered.length;
}

async function askSome(): Promise<number> {
  const asked = await run(
    `insert into public.quotes (nombre, empresa, email, telefono, peso, tipo_carga)
       select 'María', 'Berries', gen_random_uuid() || '@berries.mx', '+52 664 123 4567', 900, 'general'
       from generate_series(1, least($1, $2 - (select count(*) from public.quotes))) returning id`,
    BATCH,
    quotes,
  );
  return asked.length;
}

while ((await answerSome()) + (await askSome()) > 0);
for (;;) {
  const [open] = await run<{ count: number }>(
    "select count(*)::integer from public.webhook_deliveries where state <> 'delivered'",
  );
  if (open!.count === 0) break;
  await wait(200);
}
process.send!(await run('select event_id, folio from public.webhook_deliveries order by id'));
process.exitCode = 0;
