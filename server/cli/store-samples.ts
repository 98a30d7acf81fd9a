import { createHash } from 'node:crypto';
import { createAccounts } from '../auth/accounts.ts';
import { firstPassword, hashPassword } from '../auth/passwords.ts';
import { AUTH_SCHEMA } from '../auth/schema.ts';
import { databaseFolderIn } from '../database/data-directory.ts';
import { openDatabase, type Database, type Statement, type Parameter } from '../database/database.ts';
import { migrationsFolder } from '../database/migrate.ts';
import { KEEP_PROMISE } from '../database/promise.ts';
import { SAMPLE_STAFF, SAMPLES, type Colleague, type Sample } from './sample-leads.ts';
import { folioOf } from '../../src/lead/folio.ts';

type Each<Value> = Readonly<Record<Colleague, Value>>;

/** Puts the sample leads into a directory where nothing is yet, as if it were `now`. Answers the passwords. */
export async function storeSamples(dataDir: string, now: Date): Promise<Each<string>> {
  const database = await openDatabase({
    folder: databaseFolderIn(dataDir),
    migrations: migrationsFolder,
    afterwards: [KEEP_PROMISE, AUTH_SCHEMA],
  });
  try {
    const passwords = { ana: firstPassword(), beto: firstPassword() };
    const staff = { ana: await hire(database, 'ana', passwords), beto: await hire(database, 'beto', passwords) };
    const moments: Moment[] = [];
    for (const [place, sample] of SAMPLES.entries()) moments.push(...(await tell(database, staff, sample, place)));
    await makeOlder(database, moments, now);
    return passwords;
  } finally {
    await database.close();
  }
}

/** With a password that need not be changed: who looks at a sample should not have to. */
async function hire(database: Database, who: Colleague, passwords: Each<string>): Promise<Statement> {
  const { email, name } = SAMPLE_STAFF[who];
  const account = await createAccounts(database).add({
    email,
    name,
    supervisor: who === 'ana',
    password: await hashPassword(passwords[who]),
  });
  const { id: sub } = account!;
  await database.transaction([
    { sql: 'update private_auth.accounts set must_change = false where id = $1', parameters: [sub] },
  ]);
  return introducing('authenticated', {}, { sub, app_metadata: { role: 'staff', name } });
}

/** When the change happened that made this version of the lead. */
interface Moment {
  readonly quote_id: string;
  readonly version: number;
  readonly ago: number;
}

/** Does with one lead what happened to it, each step as who may do it. */
async function tell(database: Database, staff: Each<Statement>, sample: Sample, place: number): Promise<Moment[]> {
  const { who, company, taken, answered, seen, question, accepted, closed, note } = sample;
  const [id, answer, reply] = [idOf(`quote ${place}`), idOf(`answer ${place}`), idOf(`reply ${place}`)];
  const corrected = sample.corrects === undefined ? undefined : idOf(`quote ${sample.corrects}`);
  const phone = introducing('anon', { 'x-submission-id': [id, corrected].filter(Boolean).join(',') }, {});
  const owner = taken ? staff[taken[1]] : phone;
  const done: number[] = [];
  const write = (caller: Statement, sql: string, ...parameters: Parameter[]) =>
    database.transaction([caller, { sql, parameters }]);
  const step = async (ago: number, ...how: Parameters<typeof write>) => {
    await write(...how);
    done.push(ago);
  };

  await step(
    sample.asked,
    phone,
    `insert into quotes (id, nombre, empresa, email, telefono, peso, tipo_carga, promociones, more, reemplaza)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    id,
    who,
    company,
    `${plain(who).split('-')[0]}@${plain(company)}.example`,
    `+52 664 555 01${String(place).padStart(2, '0')}`,
    sample.kilos,
    sample.cargo,
    sample.wantsPromotions ?? false,
    sample.wantsCall ? '{"llamada": true}' : '{}',
    corrected ? folioOf(corrected) : null,
  );
  if (taken) await step(taken[0], owner, `update quote_desk set status = 'tomada' where quote_id = $1`, id);
  if (answered) {
    const body = `Con gusto, ${who.split(' ')[0]}: tarifa todo incluido de puerta a puerta, en nuestro próximo vuelo.`;
    const sql = `insert into quote_answers (id, quote_id, body, kind, price, price_for, currency, kilos, valid_until)
      values ($1, $2, $3, 'oferta', $4, 'kilo', 'USD', $5, (now() at time zone 'America/Tijuana')::date + 14)`;
    await step(answered[0], owner, sql, answer, id, body, answered[1], sample.kilos);
  }
  if (seen) await step(seen, phone, 'insert into quote_seen (answer_id, quote_id) values ($1, $2)', answer, id);
  const [repliedAgo = accepted, text = ''] = question ?? [];
  if (repliedAgo !== undefined) {
    const sql = 'insert into quote_replies (id, quote_id, answer_id, kind, body) values ($1, $2, $3, $4, $5)';
    await step(repliedAgo, phone, sql, reply, id, answer, question ? 'pregunta' : 'aceptada', text);
  }
  if (closed?.[1] === 'ganada')
    await step(
      closed[0],
      owner,
      `insert into offer_moves (quote_id, answer_id, state, word, reference) values ($1, $2, 'reservada', $3, $4)`,
      id,
      answer,
      'Entregue un día antes de la salida, con la factura y la lista de empaque.',
      `020-5512${String(place).padStart(4, '0')}`,
    );
  else if (closed)
    await step(
      closed[0],
      owner,
      `update quote_desk set status = 'perdida', lost_reason = $2 where quote_id = $1`,
      id,
      note === 'Perdida: precio' ? 'precio' : 'otro',
    );
  if (note) await write(owner, 'insert into quote_notes (quote_id, body) values ($1, $2)', id, note);
  const moments = done.map((ago, at) => ({ quote_id: id, version: at + 1, ago }));
  return corrected ? [...moments, { quote_id: corrected, version: 2, ago: sample.asked }] : moments;
}

/** Tables whose triggers stamp or guard what is in them. */
const STAMPED = [
  'quotes',
  'quote_desk',
  'quote_answers',
  'quote_offers',
  'offer_moves',
  'quote_replies',
  'quote_seen',
  'quote_notes',
  'quote_events',
];

/** Everything in it happened just now. Its triggers let nobody say otherwise, so they do not look. */
async function makeOlder(database: Database, moments: readonly Moment[], now: Date): Promise<void> {
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

/** Each of them has its line in the trail, but for a note, which was made when its author last did something. */
const OLDER_ROWS = `
  update quotes as q set created_at = e.at from quote_events as e where e.quote_id = q.id and e.code = 'creada';
  update quote_answers as a set created_at = e.at, valid_until = (e.at at time zone 'America/Tijuana')::date + 14
    from quote_events as e where e.ref = a.id and e.code = 'respondida';
  update quote_replies as r set created_at = e.at from quote_events as e where e.ref = r.id and e.code = 'contestada';
  update quote_offers as o set state_at = (select max(e.at) from quote_events as e where e.ref = o.answer_id
    or e.ref in (select r.id from quote_replies as r where r.answer_id = o.answer_id and r.kind = 'aceptada'));
  update offer_moves as m set created_at = (select max(e.at) from quote_events as e where e.ref = m.answer_id);
  update quote_seen as s set seen_at = e.at from quote_events as e where e.ref = s.answer_id and e.code = 'vista';
  update quote_notes as n set created_at =
    (select max(e.at) from quote_events as e where (e.quote_id, e.actor) = (n.quote_id, n.author));
  update quote_desk as d set
    asked_at = (select max(at) from quote_events as e where e.quote_id = d.quote_id and code in ('creada', 'contestada')),
    first_answer_at = (select min(at) from quote_events as e where e.quote_id = d.quote_id and code = 'respondida'),
    updated_at = (select max(at) from quote_events as e where e.quote_id = d.quote_id);`;

/** As the REST interface introduces who asks. */
function introducing(role: string, headers: object, claims: object): Statement {
  return {
    sql: `select set_config('role', $1, true), set_config('request.headers', $2, true),
                 set_config('request.jwt.claims', $3, true)`,
    parameters: [role, JSON.stringify(headers), JSON.stringify({ role, ...claims })],
  };
}

/** The same each time, so that a folio of a sample can be spoken of. */
function idOf(what: string): string {
  const hex = createHash('sha256').update(what).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const plain = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\W+/g, '-');
