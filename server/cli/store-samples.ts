import { createHash } from 'node:crypto';
import { createAccounts } from '../auth/accounts.ts';
import { firstPassword, hashPassword } from '../auth/passwords.ts';
import { AUTH_SCHEMA } from '../auth/schema.ts';
import { databaseFolderIn } from '../database/data-directory.ts';
import { openDatabase, type Database, type Statement } from '../database/database.ts';
import { migrationsFolder } from '../database/migrate.ts';
import { KEEP_PROMISE } from '../database/promise.ts';
import { SAMPLE_STAFF, SAMPLES, type Colleague, type Sample } from './sample-leads.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { TRANSIT_HOURS } from '../../src/lead/promise.ts';
import { localTime } from '../../src/lead/shipment.ts';
import { waybillInWords } from '../../src/lead/waybill.ts';

type Each<Value> = Readonly<Record<Colleague, Value>>;

/** Stores the sample leads in an empty directory, dated before `now`. Resolves with the passwords. */
export async function storeSamples(dataDir: string, now: Date): Promise<Each<string>> {
  const database = await openDatabase({
    folder: databaseFolderIn(dataDir),
    migrations: migrationsFolder,
    afterwards: [KEEP_PROMISE, AUTH_SCHEMA],
  });
  try {
    const passwords = { ana: firstPassword(), beto: firstPassword() };
    const staff = {
      ana: await addColleague(database, 'ana', passwords),
      beto: await addColleague(database, 'beto', passwords),
    };
    const moments: Moment[] = [];
    for (const [place, sample] of SAMPLES.entries()) moments.push(...(await replay(database, staff, sample, place)));
    await backdate(database, moments, now);
    return passwords;
  } finally {
    await database.close();
  }
}

/** Adds an account whose owner does not have to change the password. */
async function addColleague(database: Database, who: Colleague, passwords: Each<string>): Promise<Statement> {
  const { email, name } = SAMPLE_STAFF[who];
  const account = await createAccounts(database).add({
    email,
    name,
    supervisor: who === 'ana',
    isFactorOptional: true,
    password: await hashPassword(passwords[who]),
  });
  const { id: sub } = account!;
  await database.transaction([
    { sql: 'update private_auth.accounts set must_change = false where id = $1', parameters: [sub] },
  ]);
  return asCaller('authenticated', {}, { sub, app_metadata: { role: 'staff', name } });
}

/** Event of a sample lead, the version of the lead that the event made, and the event's time in minutes before now. */
interface Moment {
  readonly quote_id: string;
  readonly version: number;
  readonly ago: number;
}

/** Stores a lead event by event, with the rights of the visitor or the colleague who caused the event. */
async function replay(database: Database, staff: Each<Statement>, sample: Sample, place: number): Promise<Moment[]> {
  const { who, taken, answered, seen, question, accepted, note } = sample;
  const [id, answer, reply] = [idOf(`quote ${place}`), idOf(`answer ${place}`), idOf(`reply ${place}`)];
  const corrected = sample.corrects === undefined ? undefined : idOf(`quote ${sample.corrects}`);
  const phone = asCaller('anon', { 'x-submission-id': [id, corrected].filter(Boolean).join(',') }, {});
  const owner = taken ? staff[taken[1]] : phone;
  const done: number[] = [];
  const write = (caller: Statement, { sql, parameters = [] }: Statement) =>
    database.transaction([caller, { sql, parameters }]);
  const step = async (ago: number, caller: Statement, statement: Statement) => {
    await write(caller, statement);
    done.push(ago);
  };

  await step(sample.asked, phone, quoteOf(sample, id, place, corrected));
  if (taken)
    await step(taken[0], owner, {
      sql: `update quote_desk set status = 'tomada' where quote_id = $1`,
      parameters: [id],
    });
  if (answered) {
    const body = `Con gusto, ${who.split(' ')[0]}: tarifa todo incluido de puerta a puerta, en nuestro próximo vuelo.`;
    const sql = `insert into quote_answers (id, quote_id, body, kind, price, price_for, currency, kilos, valid_until)
      values ($1, $2, $3, 'oferta', $4, 'kilo', 'USD', $5, (now() at time zone 'America/Tijuana')::date + 14)`;
    await step(answered[0], owner, { sql, parameters: [answer, id, body, answered[1], sample.kilos] });
  }
  if (seen)
    await step(seen, phone, {
      sql: 'insert into quote_seen (answer_id, quote_id) values ($1, $2)',
      parameters: [answer, id],
    });
  const [repliedAgo = accepted, text = ''] = question ?? [];
  if (repliedAgo !== undefined) {
    const sql = 'insert into quote_replies (id, quote_id, answer_id, kind, body) values ($1, $2, $3, $4, $5)';
    await step(repliedAgo, phone, { sql, parameters: [reply, id, answer, question ? 'pregunta' : 'aceptada', text] });
  }
  if (sample.closed) await step(sample.closed[0], owner, closingOf(sample, id, answer, place));
  if (sample.departs !== undefined && sample.steps) {
    // Flight and cut-off of a sample shipment are recorded one hour after the booking.
    await step(sample.closed![0] - 60, owner, flightOf(sample.departs, id, answer, place));
    for (const [ago, name] of sample.steps)
      await step(ago, owner, {
        sql: 'insert into shipment_steps (quote_id, answer_id, step) values ($1, $2, $3)',
        parameters: [id, answer, name],
      });
  }
  if (note)
    await write(owner, { sql: 'insert into quote_notes (quote_id, body) values ($1, $2)', parameters: [id, note] });
  const moments = done.map((ago, at) => ({ quote_id: id, version: at + 1, ago }));
  return corrected ? [...moments, { quote_id: corrected, version: 2, ago: sample.asked }] : moments;
}

function quoteOf(sample: Sample, id: string, place: number, corrected: string | undefined): Statement {
  const { who, company, kilos, cargo } = sample;
  return {
    sql: `insert into quotes (id, nombre, empresa, email, telefono, peso, tipo_carga, promociones, more, reemplaza)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    parameters: [
      id,
      who,
      company,
      `${plain(who).split('-')[0]}@${plain(company)}.example`,
      `+52 664 555 01${String(place).padStart(2, '0')}`,
      kilos,
      cargo,
      sample.wantsPromotions ?? false,
      sample.wantsCall ? '{"llamada": true}' : '{}',
      corrected ? folioOf(corrected) : null,
    ],
  };
}

/** Booking of a won lead, or the reason of a lost one. */
function closingOf({ closed, note }: Sample, id: string, answer: string, place: number): Statement {
  if (closed![1] === 'perdida')
    return {
      sql: `update quote_desk set status = 'perdida', lost_reason = $2 where quote_id = $1`,
      parameters: [id, note === 'Perdida: precio' ? 'precio' : 'otro'],
    };
  return {
    sql: `insert into offer_moves (quote_id, answer_id, state, word, reference) values ($1, $2, 'reservada', $3, $4)`,
    parameters: [
      id,
      answer,
      'Entregue un día antes de la salida, con la factura y la lista de empaque.',
      waybillInWords(waybillOf(place)),
    ],
  };
}

function flightOf(ago: number, id: string, answer: string, place: number): Statement {
  const departs = Date.now() - ago * 60_000;
  const hours = (count: number) => new Date(departs + count * 3_600_000).toISOString();
  return {
    sql: `insert into shipment_flights (quote_id, answer_id, flight, flight_day, origin, waybill, pickup_at, cutoff_at, departs_at, arrives_at)
       values ($1, $2, 'CK212', $3, 'TIJ', $4, $5, $6, $7, $8)`,
    parameters: [
      id,
      answer,
      localTime(departs, 'TIJ').slice(0, 10),
      waybillOf(place),
      hours(-28),
      hours(-6),
      hours(0),
      hours(TRANSIT_HOURS - 3),
    ],
  };
}

/** Makes the number of an air waybill. The last digit is the remainder of the serial number divided by seven. */
function waybillOf(place: number): string {
  const serial = 5_512_000 + place;
  return `112${serial}${serial % 7}`;
}

/** Tables whose triggers set or protect dates. */
const STAMPED = [
  'quotes',
  'quote_desk',
  'quote_answers',
  'quote_offers',
  'offer_moves',
  'quote_replies',
  'quote_seen',
  'quote_notes',
  'shipment_flights',
  'shipment_steps',
  'quote_events',
];

/** Moves all dates into the past, with the triggers that protect them turned off. */
async function backdate(database: Database, moments: readonly Moment[], now: Date): Promise<void> {
  const times = moments.map(({ ago, ...moment }) => ({ ...moment, at: new Date(now.getTime() - ago * 60_000) }));
  const triggers = (how: 'disable' | 'enable') => ({
    sql: STAMPED.map((table) => `alter table ${table} ${how} trigger user;`).join(' '),
  });
  await database.transaction([
    triggers('disable'),
    { sql: OLDER_EVENTS, parameters: [JSON.stringify(times)] },
    { sql: OLDER_ROWS },
    {
      sql: 'update private.quote_keys as k set created_at = q.created_at from quotes as q where q.id = k.quote_id',
      parameters: [],
    },
    triggers('enable'),
  ]);
}

const OLDER_EVENTS = `
  update quote_events as e set at = t.at
    from json_to_recordset($1::json) as t (quote_id uuid, version integer, at timestamptz)
    where (e.quote_id, e.version) = (t.quote_id, t.version)`;

/** SQL that gives rows the times of their events. A note has no event, and gets the time of its author's last event. */
const OLDER_ROWS = `
  update quotes as q set created_at = e.at from quote_events as e where e.quote_id = q.id and e.code = 'creada';
  update quote_answers as a set created_at = e.at, valid_until = (e.at at time zone 'America/Tijuana')::date + 14
    from quote_events as e where e.ref = a.id and e.code = 'respondida';
  update quote_replies as r set created_at = e.at from quote_events as e where e.ref = r.id and e.code = 'contestada';
  update quote_offers as o set state_at = (select max(e.at) from quote_events as e where e.ref = o.answer_id
    or e.ref in (select r.id from quote_replies as r where r.answer_id = o.answer_id and r.kind = 'aceptada'));
  update offer_moves as m set created_at = (select max(e.at) from quote_events as e where e.ref = m.answer_id);
  update shipment_flights as f set created_at = e.at from quote_events as e where e.ref = f.id;
  update shipment_steps as s set at = e.at, created_at = e.at from quote_events as e where e.ref = s.id;
  update quote_seen as s set seen_at = e.at from quote_events as e where e.ref = s.answer_id and e.code = 'vista';
  update quote_notes as n set created_at =
    (select max(e.at) from quote_events as e where (e.quote_id, e.actor) = (n.quote_id, n.author));
  update quote_desk as d set
    asked_at = (select max(at) from quote_events as e where e.quote_id = d.quote_id and code in ('creada', 'contestada')),
    first_answer_at = (select min(at) from quote_events as e where e.quote_id = d.quote_id and code = 'respondida'),
    updated_at = (select max(at) from quote_events as e where e.quote_id = d.quote_id);`;

/**
 * Sets role, headers and claims in the same way as the REST interface, so that policies and triggers see a visitor or a
 * colleague.
 */
function asCaller(role: string, headers: object, claims: object): Statement {
  return {
    sql: `select set_config('role', $1, true), set_config('request.headers', $2, true),
                 set_config('request.jwt.claims', $3, true)`,
    parameters: [role, JSON.stringify(headers), JSON.stringify({ role, ...claims })],
  };
}

/** Derives ids from names, so that samples have the same folios each time. */
function idOf(what: string): string {
  const hex = createHash('sha256').update(what).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\W+/g, '-');
