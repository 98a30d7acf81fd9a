import { expect, test, vi } from 'vitest';
import { backupInWords } from '../../src/desk/figures/backup.ts';
import { contactLinks } from '../../src/desk/lead/contact.ts';
import { filledIn, withPlaceholders } from '../../src/desk/answer/drafts.ts';
import { promiseInFigures } from '../../src/desk/figures/figures.ts';
import { byUrgency, clockOf, initialsOf, ownerOf, standingOf, type Lead } from '../../src/desk/lead/lead.ts';
import { FILTERS, fits, refine, searchFor, sumsOf, UNREFINED } from '../../src/desk/list/filters.ts';
import { senderInWords } from '../../src/desk/figures/alert-sender.ts';
import { dayTasks } from '../../src/desk/list/day-tasks.ts';
import type { ReminderRow } from '../../src/lead/rows.ts';
import { STATUSES } from '../../src/lead/vocabulary.ts';
import { sampleLead, UNRATED } from './sample-lead.ts';

// The desk’s modules read the address of the page.
vi.stubGlobal('location', { origin: 'http://localhost' });
const joins = await import('../../src/desk/lead/join-requests.ts');
const { proposedPrice, usualDays } = await import('../../src/desk/answer/last-offers.ts');
const { feed } = await import('../../src/desk/api/lead-feed.ts');
vi.unstubAllGlobals();

const MINUTE = 60_000;
/** Half an hour before Tijuana’s clocks go back. The promised time still lasts two hours. */
const ASKED = Date.parse('2026-11-01T08:30:00Z');
const iso = (at: number) => new Date(at).toISOString();

const sample = sampleLead(iso(ASKED), { quote_id: 'a' });

const answeredAfter = (minutes: number, more: Partial<Lead> = {}): Lead => ({
  ...sample,
  open: false,
  status: 'respondida',
  assignee: 'me',
  first_answer_at: iso(ASKED + minutes * MINUTE),
  ...more,
});

const ACCEPTED = { open: true, reply_waiting: true, accepted_state: 'aceptada' } as const;
const accepted = answeredAfter(10, { quote_id: 'accepted', ...ACCEPTED });
const offered = (quote_id: string, price: number, valid_until: string) =>
  ({
    id: quote_id,
    quote_id,
    created_at: iso(ASKED),
    body: 'Sale el jueves.',
    kind: 'oferta',
    price,
    price_for: 'kilo',
    currency: 'USD',
    kilos: 1200,
    valid_until,
    author: 'a',
    author_name: 'Ana',
    ...UNRATED,
  }) as const;

test.each([
  [0, 'calm', 'quedan 2 h 0 min'],
  [90, 'soon', 'quedan 30 min'],
  [119, 'soon', 'quedan 1 min'],
  [120, 'late', 'vencida hace 0 min'],
  [120 + 26 * 60, 'late', 'vencida hace 1 d 2 h'],
])('the time left for a lead after %i minutes is shown as %s: %s', (minutes, tone, es) => {
  const clock = clockOf(sample, ASKED + minutes * MINUTE);
  expect([clock.tone, clock.words.es.replaceAll('\u00a0', ' ')]).toEqual([tone, es]);
  expect(fits(sample, 'late', 'me', ASKED + minutes * MINUTE)).toBe(tone === 'late');
});

test('a lead that was answered late stays in the filter "late"', () => {
  const now = ASKED + 600 * MINUTE;
  expect(clockOf(answeredAfter(120), now).tone).toBe('done');
  expect(clockOf(answeredAfter(121), now).tone).toBe('late');
  expect(fits(answeredAfter(121), 'late', 'me', now)).toBe(true);
  expect(fits(answeredAfter(121, { entregada: iso(ASKED) }), 'late', 'me', now)).toBe(false);
});

test('the desk’s filters list each lead by its status and its owner', () => {
  const lists = (lead: Lead) => FILTERS.filter((each) => each !== 'late' && fits(lead, each, 'me', ASKED));
  expect(lists(sample)).toEqual(['open', 'unassigned']);
  expect(lists({ ...sample, status: 'tomada', assignee: 'me' })).toEqual(['open', 'mine']);
  expect(lists(answeredAfter(10))).toEqual(['mine', 'answered']);
  expect(lists(answeredAfter(10, { open: true, reply_waiting: true }))).toEqual(['open', 'mine']);
  expect(lists(accepted)).toEqual(['open', 'toBook', 'mine']);
  expect(lists(answeredAfter(10, { status: 'ganada' }))).toEqual(['closed']);
  expect(lists({ ...sample, open: false, replaced_by: 'b' })).toEqual(['closed']);
});

test('the desk sorts acceptances first, then the longest waiting lead, then closed leads', () => {
  const later = { ...sample, quote_id: 'later', asked_at: iso(ASKED + MINUTE) };
  const done = answeredAfter(3, { quote_id: 'done', updated_at: iso(ASKED + MINUTE) });
  const doneBefore = answeredAfter(3, { quote_id: 'done before' });
  const newest = { ...accepted, asked_at: iso(ASKED + 2 * MINUTE) };
  const order = [doneBefore, done, later, newest, sample].toSorted(byUrgency).map(({ quote_id }) => quote_id);
  expect(order).toEqual(['accepted', 'a', 'later', 'done', 'done before']);
});

test('the desk filters leads by cargo, owner, status and weight, and sorts leads', () => {
  const light = { ...sample, quote_id: 'light', peso: 10, nombre: 'Zoe', created_at: iso(ASKED + MINUTE) };
  const general = { ...sample, quote_id: 'general', tipo_carga: 'general' as const, assignee: 'me', nombre: 'Ángel' };
  const ids = (changes: Partial<typeof UNREFINED>) =>
    refine([sample, light, general], { ...UNREFINED, ...changes }).map(({ quote_id }) => quote_id);
  expect(ids({})).toEqual(['a', 'light', 'general']);
  expect(ids({ order: 'received' })).toEqual(['light', 'a', 'general']);
  expect(ids({ order: 'weight' })).toEqual(['a', 'general', 'light']);
  expect(ids({ order: 'name' })).toEqual(['general', 'a', 'light']);
  expect(ids({ cargo: 'perecederos' })).toEqual(['a', 'light']);
  expect(ids({ owner: 'me' })).toEqual(['general']);
  expect(ids({ status: 'Nueva' })).toEqual(['a', 'light', 'general']);
  expect(ids({ status: 'Cliente respondió' })).toEqual([]);
  expect(ids({ to: '12,499' })).toEqual(['light']);
  expect(ids({ from: '10', to: '10' })).toEqual(['light']);
  expect(refine([{ ...sample, peso: null }], { ...UNREFINED, from: '1' })).toEqual([]);
});

test('the day’s tasks are own or unassigned leads to answer, to follow up or to book', () => {
  const mine = { ...sample, quote_id: 'mine', status: 'tomada' as const, assignee: 'me' };
  const theirs = { ...mine, quote_id: 'theirs', assignee: 'b' };
  const quiet = answeredAfter(1, { quote_id: 'quiet' });
  const at = (minutes: number) => ({ at: iso(ASKED + minutes * MINUTE) }) as ReminderRow;
  const set = new Map([
    ['quiet', at(5)],
    // A reminder after 24 hours falls on tomorrow, although this day has 25 hours in Tijuana.
    ['mine', at(24 * 60)],
    ['theirs', at(5)],
  ]);
  const { urgent, ...parts } = dayTasks([accepted, theirs, mine, sample, quiet], set, 'me', ASKED);
  expect(urgent).toBe(accepted);
  expect(parts).toEqual({
    due: [mine, sample],
    reminded: [{ lead: quiet, at: ASKED + 5 * MINUTE }],
    toBook: [accepted],
  });
  expect(dayTasks([theirs], set, 'me', ASKED).urgent).toBeUndefined();
});

test('the desk sums the kilos of the listed leads, and their offers by currency', () => {
  const worth = (amount: number, offered_currency: 'USD' | 'MXN') => ({ ...sample, offered: amount, offered_currency });
  const unknown = { ...sample, peso: null };
  const { kilos, money } = sumsOf([worth(100, 'USD'), worth(50.5, 'USD'), worth(7, 'MXN'), unknown, sample]);
  expect([kilos, new Map(money)]).toEqual([50_000, new Map(Object.entries({ USD: 150.5, MXN: 7 }))]);
});

test.each<[string, Partial<Lead>, string]>([
  ['a new lead', {}, 'Nueva'],
  ['a taken lead', { status: 'tomada', assignee: 'me' }, 'En curso'],
  ['a question of the customer', { status: 'tomada', assignee: 'me', reply_waiting: true }, 'Cliente preguntó'],
  ['a reply to our question', { status: 'respondida', reply_waiting: true, reply_to: 'pregunta' }, 'Cliente respondió'],
  ['an acceptance', { accepted_state: 'aceptada', reply_waiting: true }, 'Cliente aceptó'],
  ['an acceptance that the team recorded', { accepted_state: 'aceptada' }, 'Por reservar'],
  ['an acceptance of an old offer', { reply_waiting: true, reply_verdict: 'reemplazada' }, 'Aceptó la oferta anterior'],
  ['a booked lead', { status: 'ganada', accepted_state: 'reservada' }, 'Reservada'],
  ['a corrected lead', { replaced_by: 'b' }, 'Reemplazada'],
])('the desk shows the status of %s, without the owner’s name', (_what, changes, es) => {
  expect(standingOf({ ...sample, ...changes }).words.es).toBe(es);
});

test('the owner is shown as "Yo", a colleague with initials, or "Sin asignar"', () => {
  expect(ownerOf(sample, 'me')).toBe('Sin asignar');
  expect(ownerOf({ ...sample, assignee: 'me', assignee_name: 'Ana Ruiz' }, 'me')).toBe('Yo');
  expect(ownerOf({ ...sample, assignee: 'b', assignee_name: 'Beto Díaz' }, 'me')).toBe('Beto Díaz');
  expect(['Ana Ruiz', 'Nora de los Ángeles Vidal', 'carla'].map(initialsOf)).toEqual(['AR', 'NV', 'C']);
});

test.each([
  ['ap 0000 0000', true],
  ['AP-OOOO-OOOO', true],
  ['0000', true],
  ['nunez', true],
  ['valle maria', true],
  ['berries.mx', true],
  ['998 765', true],
  ['664', false],
  ['valle pedro', false],
])('the search "%s" finds the sample lead: %s', (typed, found) => {
  expect(searchFor(typed)(sample)).toBe(found);
});

test('a search for eight letters that could be a folio also finds names', () => {
  expect(searchFor('Eva Reyes')({ ...sample, nombre: 'Eva Reyes' })).toBe(true);
  expect(searchFor('Eva Reyes')(sample)).toBe(false);
});

test('a message to the customer asks for acceptance only while the offer is valid', () => {
  const says = (isValid: boolean) =>
    contactLinks(sample, offered('x', 4.1, '2099-11-28'), undefined, ASKED, isValid).message;
  expect(says(true)).toContain('Para aceptarla');
  expect(says(false)).not.toContain('Para aceptarla');
});

test('a stored answer draft holds none of the exporter’s data, and is restored unchanged', () => {
  const answer = 'María José Núñez, de Berries del Valle: ventas@berries.mx, +52 (998) 765-4321. María manda.';
  const keptText = withPlaceholders(answer, sample);
  expect(keptText).toBe('{nombre}, de {empresa}: {email}, {telefono}. María manda.');
  expect(filledIn(keptText, sample)).toBe(answer);
  const odd = { ...sample, nombre: '{empresa}', empresa: 'empresa' };
  expect(filledIn(withPlaceholders('{empresa} y empresa', odd), odd)).toBe('{empresa} y empresa');
  expect(withPlaceholders('Al Sr. Al', { ...sample, nombre: 'Al' })).toBe('Al Sr. Al');
});

test('a late answer counts as a broken promise in the desk’s figures', () => {
  const now = ASKED + 600 * MINUTE;
  const corrected = { ...sample, open: false, replaced_by: 'b' };
  const undecided = { ...sample, promised_at: iso(now + MINUTE) };
  const answers = [10, 30, 130].map((minutes) => answeredAfter(minutes));
  const leads = [...answers, answeredAfter(5, { entregada: iso(ASKED) }), sample, corrected, undecided];
  const { today, month, byHour } = promiseInFigures(leads, now);
  expect(today).toEqual({ asked: 4, met: 2, median: 30 * MINUTE });
  expect(month).toEqual(today);
  // All four quotes arrive between 1:00 and 2:00, an hour that this night has twice.
  expect(byHour[1]).toEqual(today);
  expect(byHour.reduce((sum, { asked }) => sum + asked, 0)).toBe(4);
  expect(promiseInFigures([answeredAfter(10), answeredAfter(30)], now).week.median).toBe(20 * MINUTE);
  expect(promiseInFigures(leads, now + 31 * 24 * 60 * MINUTE).month.asked).toBe(0);
});

test('a request can be merged into an open or answered lead, not into a closed lead', () => {
  const { canJoin } = joins;
  const request = { ...sample, quote_id: 'b', price: null, price_for: null, currency: null, kilos: null };
  const other = { ...request, valid_until: null, state: null };
  const into = STATUSES.filter((status) => canJoin(other, { ...sample, status }, 'me'));
  expect(into).toEqual(['nueva', 'tomada', 'respondida']);
});

test('the desk says when the sender of alerts last ran, if over three minutes ago', () => {
  const at = (time: string) => new Date(`2026-11-23T${time}:00-08:00`);
  const says = (ranAt: string | null, now: string) =>
    senderInWords(ranAt && at(ranAt).toISOString(), at(now).getTime())?.es;
  expect(says('14:05', '14:08')).toBeUndefined();
  expect(says('14:05', '14:09')).toBe('El envío de avisos no responde desde las 14:05. Avise a su administrador.');
  expect(says('01:05', '14:09')).toMatch(/^El envío de avisos no responde desde la 01:05\./);
  expect(senderInWords('2026-11-22T22:05:00Z', at('14:09').getTime())?.es).toMatch(/desde ayer a las 14:05\./);
  expect(senderInWords('2026-11-02T22:05:00Z', at('14:09').getTime())).toEqual({
    es: 'El envío de avisos no responde desde el 2 de noviembre a las 14:05. Avise a su administrador.',
    en: 'Alert sending has not responded since 2 November at 14:05. Tell your administrator.',
  });
  expect(says(null, '14:05')).toBe('El envío de avisos nunca ha respondido. Avise a su administrador.');
});

test('the desk shows the age of the last backup, and warns when backups fail', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  const at = '2026-11-23T09:00:00Z';
  const says = (last: string | null, ok: boolean) => backupInWords({ at: last, ok }, now).es;
  expect(says(at, true)).toMatch(/^Último respaldo: hace 3\sh\s0\smin\.$/);
  expect(says(at, false)).toMatch(/^EL RESPALDO FALLA: el último es de hace 3\sh\s0\smin\. Avise/);
  expect(says(null, false)).toMatch(/^NO HAY RESPALDO\./);
});

test('the desk proposes the last price of the same customer, otherwise of the same cargo', () => {
  const stranger = { ...sample, quote_id: 'c', telefono: '55 1234 5678', email: 'otra@uvas.mx' };
  feed.set({ leads: [{ ...sample, quote_id: 'b' }, stranger], readAt: 1, isFresh: true });
  const offerTo = (quote_id: string, price: number, until = '2026-11-11') => offered(quote_id, price, until);
  const price = (amount: number) => ({ amount, per: 'kilo', currency: 'USD' });
  expect(proposedPrice(sample, [offerTo('c', 5), offerTo('b', 4)])).toEqual({ price: price(4), isOfCustomer: true });
  expect(proposedPrice(sample, [offerTo('c', 5)])).toEqual({ price: price(5), isOfCustomer: false });
  expect(proposedPrice({ ...sample, tipo_carga: 'general' }, [offerTo('b', 4)])?.isOfCustomer).toBe(true);
  expect(proposedPrice({ ...stranger, tipo_carga: 'general', quote_id: 'd' }, [offerTo('b', 4)])).toBeUndefined();
  // Two offers are valid for ten days and one for seven, so ten days are usual.
  expect(usualDays([offerTo('b', 4), offerTo('c', 5), offerTo('b', 6, '2026-11-08')])).toBe(10);
  expect(usualDays([])).toBe(7);
});
