import { expect, test, vi } from 'vitest';
import { dateInWords } from '../../src/content/dates.ts';
import { backupInWords } from '../../src/desk/backup.ts';
import { waysTo } from '../../src/desk/contact.ts';
import { filledIn, withPlaceholders } from '../../src/desk/drafts.ts';
import { promiseInFigures } from '../../src/desk/figures.ts';
import { byUrgency, clockOf, fits, searchFor, type Lead } from '../../src/desk/lead.ts';
import { senderInWords } from '../../src/desk/sender.ts';
import { STATUSES } from '../../src/lead/vocabulary.ts';

const MINUTE = 60_000;
/** Half an hour before the clocks of Tijuana go back: two hours are two hours. */
const ASKED = Date.parse('2026-11-01T08:30:00Z');
const iso = (at: number) => new Date(at).toISOString();

const sample: Lead = {
  quote_id: 'a',
  folio: 'AP-0000-0000',
  created_at: iso(ASKED),
  nombre: 'María José Núñez',
  empresa: 'Berries del Valle',
  email: 'ventas@berries.mx',
  telefono: '+52 (998) 765-4321',
  peso: 12_500,
  tipo_carga: 'perecederos',
  promociones: false,
  reemplaza: null,
  igual: null,
  blocked_at: null,
  entregada: null,
  origen: 'formulario',
  reply_verdict: null,
  lost_reason: null,
  accepted_price: null,
  accepted_price_for: null,
  accepted_currency: null,
  accepted_kilos: null,
  accepted_valid_until: null,
  accepted_state: null,
  accepted_reference: null,
  status: 'nueva',
  assignee: null,
  assignee_name: null,
  open: true,
  reply_waiting: false,
  asked_at: iso(ASKED),
  due_at: iso(ASKED + 120 * MINUTE),
  promised_at: iso(ASKED + 120 * MINUTE),
  first_answer_at: null,
  last_answer: null,
  seen_at: null,
  replaced_by: null,
  version: 1,
  updated_at: iso(ASKED),
};

const answeredAfter = (minutes: number, more: Partial<Lead> = {}): Lead => ({
  ...sample,
  open: false,
  status: 'respondida',
  assignee: 'me',
  first_answer_at: iso(ASKED + minutes * MINUTE),
  ...more,
});

test.each([
  [0, 'calm', 'quedan 2 h 0 min'],
  [89, 'calm', 'quedan 31 min'],
  [90, 'soon', 'quedan 30 min'],
  [119, 'soon', 'quedan 1 min'],
  [120, 'late', 'tarde por 0 min'],
  [200, 'late', 'tarde por 1 h 20 min'],
  [120 + 26 * 60, 'late', 'tarde por 1 d 2 h'],
])('%i minutes after it was asked the clock is %s: %s', (minutes, tone, es) => {
  const clock = clockOf(sample, ASKED + minutes * MINUTE);
  expect([clock.tone, clock.words.es.replaceAll('\u00a0', ' ')]).toEqual([tone, es]);
  expect(fits(sample, 'late', 'me', ASKED + minutes * MINUTE)).toBe(tone === 'late');
});

test.each([
  ['before the hour', 20],
  ['in the hour', 45],
])(
  '%s that comes twice both moments of a lead are of this day, the later as the wall has it then',
  (_when, minutes) => {
    const said = [sample.created_at, sample.due_at].map(
      (at) => dateInWords(Date.parse(at), ASKED + minutes * MINUTE).es,
    );
    expect(said).toEqual(['hoy 01:30', 'hoy 02:30']);
  },
);

test('an answer in time is kept, and a late one stays late', () => {
  const now = ASKED + 600 * MINUTE;
  expect(clockOf(answeredAfter(120), now).tone).toBe('done');
  expect(clockOf(answeredAfter(121), now).tone).toBe('late');
  expect(fits(answeredAfter(121), 'late', 'me', now)).toBe(true);
  expect(fits(answeredAfter(121, { entregada: iso(ASKED) }), 'late', 'me', now)).toBe(false);
});

test('each quote is in the lists where it is looked for', () => {
  const lists = (lead: Lead) =>
    (['open', 'mine', 'answered', 'closed'] as const).filter((each) => fits(lead, each, 'me', ASKED));
  expect(lists(sample)).toEqual(['open']);
  expect(lists({ ...sample, status: 'tomada', assignee: 'me' })).toEqual(['open', 'mine']);
  expect(lists(answeredAfter(10))).toEqual(['mine', 'answered']);
  expect(lists(answeredAfter(10, { open: true, reply_waiting: true }))).toEqual(['open', 'mine']);
  expect(lists(answeredAfter(10, { status: 'ganada' }))).toEqual(['closed']);
  expect(lists({ ...sample, open: false, replaced_by: 'b' })).toEqual(['closed']);
});

test('the lead that waits longest comes first, then closed leads, the latest first', () => {
  const later = { ...sample, quote_id: 'later', asked_at: iso(ASKED + MINUTE) };
  const done = answeredAfter(3, { quote_id: 'done', updated_at: iso(ASKED + MINUTE) });
  const doneBefore = answeredAfter(3, { quote_id: 'done before' });
  const order = [doneBefore, done, later, sample].toSorted(byUrgency).map(({ quote_id }) => quote_id);
  expect(order).toEqual(['a', 'later', 'done', 'done before']);
});

test.each([
  ['ap 0000 0000', true],
  ['AP-OOOO-OOOO', true],
  ['ap-0000', true],
  ['0000', true],
  ['nunez', true],
  ['valle maria', true],
  ['berries.mx', true],
  ['998 765', true],
  ['9987654321', true],
  ['664', false],
  ['pedro', false],
  ['valle pedro', false],
])('a search for "%s" finds it: %s', (typed, found) => {
  expect(searchFor(typed)(sample)).toBe(found);
});

test('eight letters that happen to be a folio find a name as well', () => {
  expect(searchFor('Eva Reyes')({ ...sample, nombre: 'Eva Reyes' })).toBe(true);
  expect(searchFor('Eva Reyes')(sample)).toBe(false);
});

test('what goes to a customer asks to accept an offer only while it stands', () => {
  const answer = {
    id: 'x',
    created_at: iso(ASKED),
    body: 'Sale el jueves.',
    kind: 'oferta',
    price: 4.1,
    price_for: 'kilo',
    currency: 'USD',
    kilos: 1200,
    valid_until: '2099-11-28',
    author: 'a',
    author_name: 'Ana',
  } as const;
  expect(waysTo(sample, answer, undefined, ASKED, true).message).toContain('Para aceptarla');
  expect(waysTo(sample, answer, undefined, ASKED, false).message).not.toContain('Para aceptarla');
});

test('what is kept of a draft has none of the exporter’s data, and comes back as it was', () => {
  const written = 'María José Núñez, de Berries del Valle: ventas@berries.mx, +52 (998) 765-4321. María manda.';
  const keptText = withPlaceholders(written, sample);
  expect(keptText).toBe('{nombre}, de {empresa}: {email}, {telefono}. María manda.');
  expect(filledIn(keptText, sample)).toBe(written);
  const odd = { ...sample, nombre: '{empresa}', empresa: 'empresa' };
  expect(filledIn(withPlaceholders('{empresa} y empresa', odd), odd)).toBe('{empresa} y empresa');
  expect(withPlaceholders('Al Sr. Al', { ...sample, nombre: 'Al' })).toBe('Al Sr. Al');
});

test('the promise in figures counts what is decided, and a late answer as late', () => {
  const now = ASKED + 600 * MINUTE;
  const corrected = { ...sample, open: false, replaced_by: 'b' };
  const undecided = { ...sample, promised_at: iso(now + MINUTE) };
  const leads = [
    answeredAfter(10),
    answeredAfter(30),
    answeredAfter(130),
    answeredAfter(5, { entregada: iso(ASKED) }),
    sample,
    corrected,
    undecided,
  ];
  const { today, month, byHour } = promiseInFigures(leads, now);
  expect(today).toEqual({ asked: 4, kept: 2, median: 30 * MINUTE });
  expect(month).toEqual(today);
  // Half past one at night, the first of two such hours.
  expect(byHour[1]).toEqual(today);
  expect(byHour.reduce((sum, { asked }) => sum + asked, 0)).toBe(4);
  expect(promiseInFigures([answeredAfter(10), answeredAfter(30)], now).week.median).toBe(20 * MINUTE);
  expect(promiseInFigures(leads, now + 31 * 24 * 60 * MINUTE).month.asked).toBe(0);
});

test('a request is joined into one that waits or was answered, and into none that has ended', async () => {
  vi.stubGlobal('location', { origin: 'http://localhost' });
  const { canJoin } = await import('../../src/desk/history.ts');
  vi.unstubAllGlobals();
  const asked = { ...sample, quote_id: 'b', price: null, price_for: null, currency: null, kilos: null };
  const other = { ...asked, valid_until: null, state: null };
  const into = STATUSES.filter((status) => canJoin(other, { ...sample, status }, 'me'));
  expect(into).toEqual(['nueva', 'tomada', 'respondida']);
});

test('the desk says since when alerts are not sent, after three minutes without a look', () => {
  const at = (time: string) => new Date(`2026-11-23T${time}:00-08:00`);
  const says = (ranAt: string | null, now: string) =>
    senderInWords(ranAt && at(ranAt).toISOString(), at(now).getTime())?.es;
  expect(says('14:05', '14:07')).toBeUndefined();
  expect(says('14:05', '14:09')).toBe(
    'El envío de avisos no responde desde las 14:05. Avise a quien cuida el servidor.',
  );
  expect(says('01:05', '14:09')).toMatch(/^El envío de avisos no responde desde la 01:05\./);
  expect(senderInWords('2026-11-22T22:05:00Z', at('14:09').getTime())?.es).toMatch(/desde ayer 14:05\./);
  expect(senderInWords('2026-11-02T22:05:00Z', at('14:09').getTime())).toEqual({
    es: 'El envío de avisos no responde desde el 2 de noviembre, 14:05. Avise a quien cuida el servidor.',
    en: 'What sends alerts has not answered since 2 November, 14:05. Tell whoever looks after the server.',
  });
  expect(says(null, '14:05')).toBe('El envío de avisos no ha respondido nunca. Avise a quien cuida el servidor.');
});

test('the desk shows the age of the last backup, and warns of a failed one', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  const at = '2026-11-23T09:00:00Z';
  expect(backupInWords({ at, ok: true }, now).es).toMatch(/^Último respaldo: hace 3\sh\s0\smin\.$/);
  expect(backupInWords({ at, ok: false }, now).es).toMatch(
    /^EL RESPALDO FALLA: el último es de hace 3\sh\s0\smin\. Avise/,
  );
  expect(backupInWords({ at: null, ok: false }, now).es).toMatch(/^NO HAY RESPALDO\./);
});
