import { createHash, randomUUID } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { timeInTijuana } from '../../src/lead/tijuana.ts';
import type { Lead } from '../../src/desk/lead/lead.ts';
import { chanceFrom } from '../chance.ts';
import { listening } from '../listening.ts';
import { UNGUARDED } from './callers.ts';
import { actsOn } from './lead-acts.ts';
import { openDeskTab, type DeskTab } from './desk-tab.ts';
import { embeddedSide, hired } from './signing-in.ts';

const side = await embeddedSide();
const { owner, asOwner } = actsOn(side.engine);
afterAll(() => side.close());
beforeEach(() =>
  asOwner('update quote_desk set blocked_at = now(); delete from quotes; delete from private.quote_sends'),
);

/** Stores quotes as if their IP address were unknown, so that no limit applies. */
async function arrive(count: number): Promise<string[]> {
  const sql = `insert into quotes (nombre, empresa, email, telefono, peso, tipo_carga)
    select 'María ' || n, 'Berries', 'm' || n || random() || '@berries.example', '+52 664 555 0175', n, 'perecederos'
      from generate_series(1, $1::int) as n returning id`;
  return (await owner<{ id: string }>(sql, [count])).map(({ id }) => id);
}

/** Makes the desk poll like a visible tab. Returns the ids of the leads that the desk announces as new. */
async function watch(tab: DeskTab): Promise<string[]> {
  const announced: string[] = [];
  const onRead = vi.fn<() => void>();
  onTestFinished(tab.leads.pollLeads(onRead, (came) => void announced.push(...came.map(({ quote_id: id }) => id))));
  await expect.poll(() => onRead.mock.calls.length).toBeGreaterThan(0);
  return announced;
}

const idsIn = ({ leads }: DeskTab) => leads.feed.read().leads.map(({ quote_id: id }) => id);

test('the desk reads all changed leads, even if they need several responses', async () => {
  side.restart({ LIMIT_ROWS: '40' });
  onTestFinished(() => side.restart());
  await arrive(120);
  await asOwner(`${UNGUARDED} update quote_desk set reply_waiting = false, status = 'perdida',
       updated_at = date_trunc('second', now())`);
  const tab = await openDeskTab(side.url, await hired(side, 'Ana Ruiz'));
  await watch(tab);
  expect(idsIn(tab)).toHaveLength(120);
  expect(await tab.leads.readSince(0)).toHaveLength(120);
});

test('the desk reads a file again if its first read returned only a part', async () => {
  const [quoteId] = await arrive(1);
  await openDeskTab(side.url, await hired(side, 'Ana Ruiz'));
  const { readFile } = await import('../../src/desk/api/files.ts');
  const [id, content] = [randomUUID(), Buffer.from('%PDF-1.7')];
  const huella = createHash('sha256').update(content).digest('hex');
  const file = { id, nombre: 'a.pdf', tipo: 'application/pdf', bytes: content.length, huella, whole_at: null } as const;
  expect(await readFile(file)).toBe(undefined);
  await owner(
    `insert into quote_files (id, quote_id, nombre, tipo, bytes, huella) values ($1, $2, 'a.pdf', 'application/pdf', 8, $3)`,
    [id, quoteId, huella],
  );
  const part = 'insert into quote_file_parts (file_id, parte, base64) values ($1, 0, $2)';
  await owner(part, [id, content.toString('base64')]);
  expect(Buffer.from((await readFile(file))!)).toEqual(content);
});

test('the desk shows the state of a server restored from an older backup', async () => {
  const [id] = await arrive(1);
  const tab = await openDeskTab(side.url, await hired(side, 'Ana Ruiz'));
  await watch(tab);
  await tab.actions.take(tab.leads.leadById(id!)!, tab.me);
  expect(tab.leads.leadById(id!)).toMatchObject({ status: 'tomada', version: 2 });
  await asOwner(
    `${UNGUARDED} update quote_desk set status = 'nueva', assignee = null, assignee_name = null, version = 1`,
  );
  await watch(tab);
  expect(tab.leads.leadById(id!)).toMatchObject({ status: 'nueva', version: 1 });
});

test('two desks that take the same 40 leads at once see the same owners', async () => {
  await arrive(40);
  const tabs: { readonly name: string; readonly tab: DeskTab }[] = [];
  for (const name of ['Ana Ruiz', 'Beto Sánchez'])
    tabs.push({ name, tab: await openDeskTab(side.url, await hired(side, name)) });
  for (const { tab } of tabs) await watch(tab);

  const chance = chanceFrom(100);
  const bothTake = async (lead: Lead) => {
    // The desks take the leads in random order.
    const pair = chance() < 0.5 ? tabs : tabs.toReversed();
    const ended = await Promise.all(
      pair.map(async ({ name, tab }) => ({ name, tab, ended: await tab.actions.take(lead, tab.me) })),
    );
    const taken = await owner<{ assignee_name: string; at: Date }>(
      "select d.assignee_name, e.at from quote_desk as d join quote_events as e using (quote_id) where quote_id = $1 and e.code = 'tomada'",
      [lead.quote_id],
    );
    expect(taken).toHaveLength(1);
    const { assignee_name: winner, at } = taken[0]!;
    for (const { tab } of ended) expect(tab.leads.leadById(lead.quote_id)?.assignee_name).toBe(winner);
    expect(ended.find(({ name }) => name === winner)!.ended).toMatchObject({ kind: 'done' });
    const says = `La atiende ${winner} desde las ${timeInTijuana(at.getTime())}.`;
    const second = ended.find(({ name }) => name !== winner)!.ended;
    expect(second).toMatchObject({ says: { es: expect.stringContaining(says) as string } });
    return winner;
  };
  const owners: string[] = [];
  const { leads } = tabs[0]!.tab.leads.feed.read();
  for (let first = 0; first < leads.length; first += 20)
    owners.push(...(await Promise.all(leads.slice(first, first + 20).map(bothTake))));
  expect(owners).toHaveLength(40);
  expect(new Set(owners).size).toBe(2);
});

/** Opens a proxy to the server whose connections break at random while `isBroken` is true. */
async function brokenLine(chance: () => number) {
  const { port: upstream } = new URL(side.url);
  let cuts = 0;
  const line = { isBroken: false, cuts: () => cuts, origin: '' };
  const server = createServer((near) => {
    const far = connect(Number(upstream), '127.0.0.1');
    const cut = () => {
      if (!near.destroyed && line.isBroken) cuts += 1;
      near.destroy();
      far.destroy();
    };
    // Connections break after a random number of bytes or milliseconds: in a request, in a response, or between two.
    let bytes = chance() < 0.3 ? 0 : chance() * 26_000;
    // A response contains all leads and soon exceeds 26,000 bytes, so a few connections last longer.
    if (chance() < 0.15) bytes = 300_000;
    if (chance() < 0.3) setTimeout(() => line.isBroken && cut(), chance() * 150);
    near.pipe(far);
    far.on('data', (part: Buffer) => {
      bytes -= part.length;
      if (line.isBroken && bytes < 0) {
        near.write(part.subarray(0, Math.floor(chance() * part.length)), cut);
      } else near.write(part);
    });
    for (const end of [near, far]) end.on('error', cut).on('close', cut);
  });
  onTestFinished(() => void server.close());
  line.origin = await listening(server);
  return line;
}

test('leads that arrive while the desk’s connection breaks are listed once and in order', async () => {
  const chance = chanceFrom(200);
  const line = await brokenLine(chance);
  const tab = await openDeskTab(line.origin, await hired(side));
  const announced = await watch(tab);
  line.isBroken = true;
  const states: boolean[] = [];
  onTestFinished(tab.leads.feed.subscribe(() => void states.push(tab.leads.feed.read().isFresh)));
  let leads = 0;
  // The loop ends when 80 leads have arrived, more than five connections have broken, and the desk has reported
  // outdated leads and announced new ones.
  while (leads < 80 || line.cuts() <= 5 || !states.includes(false) || announced.length === 0) {
    await arrive(1);
    leads += 1;
    if (chance() < 0.5) tab.look();
    await wait(chance() * 40);
  }
  line.isBroken = false;
  await expect
    .poll(() => {
      tab.look();
      return tab.leads.feed.read();
    })
    .toMatchObject({ isFresh: true, leads: { length: leads } });

  const inOrder = await owner<{ quote_id: string }>(
    'select quote_id from desk_leads where open order by asked_at, quote_id',
  );
  expect(idsIn(tab)).toEqual(inOrder.map(({ quote_id: id }) => id));
  expect(announced.toSorted()).toEqual(idsIn(tab).toSorted());
});

test('the desk announces each new lead once, and no lead from before the desk was opened', async () => {
  const present = await arrive(3);
  const tab = await openDeskTab(side.url, await hired(side));
  const announced = await watch(tab);
  expect(idsIn(tab).toSorted()).toEqual(present.toSorted());
  expect(announced).toEqual([]);
  const [came] = await arrive(1);
  // The desk polls several times at once, as when its window gets the focus and the connection returns together.
  for (let times = 0; times < 5; times += 1) tab.look();
  await expect.poll(() => announced).toEqual([came]);
  for (let times = 0; times < 5; times += 1) {
    tab.look();
    await wait(50);
  }
  expect(announced).toEqual([came]);
});

test('a quote that arrives while the desk reads the whole list is listed', async () => {
  await arrive(2);
  const tab = await openDeskTab(side.url, await hired(side));
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const real = fetch;
  let reads = 0;
  vi.stubGlobal('fetch', async (...parameters: Parameters<typeof fetch>) => {
    const answer = await real(...parameters);
    if (answer.url.includes('updated_at') && ++reads === 1) await released;
    return answer;
  });
  const watching = watch(tab);
  await expect.poll(() => reads).toBe(1);
  const [pasted] = await arrive(1);
  await tab.leads.readLead(pasted!);
  const seen: boolean[] = [];
  onTestFinished(tab.leads.feed.subscribe(() => seen.push(idsIn(tab).includes(pasted!))));
  release();
  const announced = await watching;
  tab.look();
  await expect.poll(() => reads).toBeGreaterThan(1);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen).not.toContain(false);
  expect(announced).toEqual([]);
});
