import { randomUUID } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { scheduleRetention, retain } from '../../server/retention.ts';
import { presenting, service, staffMember, UNGUARDED } from './callers.ts';
import { actsOn } from './lead-acts.ts';
import { engineOfFile } from './engines.ts';

const ana = staffMember('Ana Ruiz');

const engine = await engineOfFile();

const { quoted, owner, asOwner, put, take, answer, block } = actsOn(engine);
beforeEach(() => asOwner('update quote_desk set blocked_at = now(); delete from quotes'));
const { database } = engine;
const monthsFromNow = (months: number) => {
  const day = new Date();
  day.setUTCMonth(day.getUTCMonth() + months, 15);
  return day;
};
/** Moves all records about a quote some months into the past. */
const older = (id: string, months: number) =>
  asOwner(`${UNGUARDED} update quote_events set at = at - ${months} * interval '1 month' where quote_id = '${id}';
     update quote_desk set blocked_at = blocked_at - ${months} * interval '1 month' where quote_id = '${id}'`);
const left = async () => {
  const rows = await owner<{ quote_id: string; blocked: boolean }>(
    'select quote_id, blocked_at is not null as blocked from quote_desk',
  );
  return Object.fromEntries(rows.map(({ quote_id: id, blocked }) => [id, blocked]));
};

test('retention blocks inactive quotes, and erases them three months later', async () => {
  const [old, spoken, fresh] = [await quoted(), await quoted(), await quoted()];
  await older(old, 25);
  await older(spoken, 25);
  await answer(service, spoken);
  expect(await retain(database, 24)).toEqual({ blocked: 1, erased: 0 });
  expect(await left()).toEqual({ [old]: true, [spoken]: false, [fresh]: false });
  // A quote is erased three months after it was blocked, however old it is.
  expect(await retain(database, 24)).toEqual({ blocked: 0, erased: 0 });
  expect(await retain(database, 24, monthsFromNow(2))).toEqual({ blocked: 0, erased: 0 });
  expect(await retain(database, 24, monthsFromNow(4))).toEqual({ blocked: 0, erased: 1 });
  expect(await left()).toEqual({ [spoken]: false, [fresh]: false });
});

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000);
const remind = async (id: string) => {
  await take(ana, id);
  await put(ana, 'desk_reminders', { quote_id: id, at: inAWeek(), why: 'fecha' });
};
const ageReminders = () => asOwner(`${UNGUARDED} update desk_reminders set made_at = made_at - interval '7 months'`);
const file = { nombre: 'a.pdf', tipo: 'application/pdf', bytes: 9, huella: 'a'.repeat(64) };
const markPaper = (quote_id: string) =>
  put(ana, 'shipment_papers', { id: randomUUID(), quote_id, papel: 'origen', estado: 'pedida' });
test.each<[said: string, say: (quote_id: string) => Promise<unknown>]>([
  ['a note', (quote_id) => put(ana, 'quote_notes', { quote_id, body: 'Llamar el lunes' })],
  ['a colleague’s mark on a document', markPaper],
  ['a file', (quote_id) => put(presenting(quote_id), 'quote_files', { id: randomUUID(), quote_id, ...file })],
  ['a reminder', remind],
  ['an old reminder whose day is in the future', (quote_id) => remind(quote_id).then(ageReminders)],
])('retention keeps an old quote because of %s', async (_, say) => {
  const id = await quoted();
  await say(id);
  await older(id, 7);
  expect(await retain(database, 6)).toEqual({ blocked: 0, erased: 0 });
});

test('retention keeps a quote for three months after it was blocked', async () => {
  const id = await quoted();
  await block(id);
  expect(await retain(database, 24, monthsFromNow(12))).toEqual({ blocked: 0, erased: 0 });
  expect(await left()).toEqual({ [id]: true });
});

test('retention runs once in each night in Tijuana', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const [id, long] = [await quoted(), await quoted()];
  await block(long);
  for (const each of [id, long]) await older(each, 30);
  let now = new Date('2027-01-10T20:00:00Z');
  const finish = vi.fn(async () => undefined).mockRejectedValueOnce(new Error('no space left on device'));
  const erasing = { requireSpace: () => undefined, finish };
  const retention = scheduleRetention({ database, months: 24, erasing, now: () => now });
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect((await left())[id]).toBe(false);
  now = new Date('2027-01-11T11:00:00Z');
  await vi.advanceTimersByTimeAsync(15 * 60_000);
  await vi.waitUntil(() => finish.mock.calls.length === 1, { timeout: 20_000 });
  expect(await left()).toEqual({ [id]: true });
  await vi.advanceTimersByTimeAsync(15 * 60_000);
  await vi.waitUntil(() => finish.mock.calls.length === 2, { timeout: 20_000 });
  await vi.advanceTimersByTimeAsync(60 * 60_000);
  expect(finish).toHaveBeenCalledTimes(2);
  await retention.stop();
});
