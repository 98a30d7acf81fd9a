import { expect, test } from 'vitest';
import { INCOTERMS, LONGEST_DETAIL, MOST, PACKED, TEMPERATURES } from '../../src/lead/details.ts';
import { PAPER_STATES } from '../../src/lead/papers.ts';
import { isDay, isPrice, LONGEST } from '../../src/lead/bounds.ts';
import { FILE_TYPES, LONGEST_FILE_NAME, MOST_FILE_BYTES } from '../../src/lead/files.ts';
import { fields } from '../../src/lead/fields.ts';
import { ANSWER_KINDS, CURRENCIES, OFFER_STATES, PRICED_PER, VERDICTS, type AnswerKind } from '../../src/lead/offer.ts';
import { LONGEST_SOURCE, RATED } from '../../src/lead/offer-lines.ts';
import { PROMISED_HOURS } from '../../src/lead/promise.ts';
import { REPLY_KINDS } from '../../src/lead/messages.ts';
import { AIRPORTS, STEP_CODES, type StepCode } from '../../src/lead/shipment.ts';
import {
  ALERT_KINDS,
  ALERT_WAYS,
  CHANNELS,
  COLLECTED_KINDS,
  DELIVERIES,
  DESK_ACTS,
  DESK_MOVES,
  EVENTS,
  STAFF_SIGNS,
  LOST_REASONS,
  MOST_EXPORTED,
  ORIGINS,
  RECEIVED_STATES,
  REMINDER_REASONS,
  STATUSES,
  WEBHOOK_EVENTS,
  WEBHOOK_STATES,
  isForCustomer,
  type DeskMove,
} from '../../src/lead/vocabulary.ts';
import { quoting } from './callers.ts';
import { engineOfFile } from './engines.ts';
import { actsOn } from './lead-acts.ts';

const engine = await engineOfFile();
const { owner, asOwner } = actsOn(engine);

interface Said {
  readonly words?: readonly string[];
  readonly numbers?: readonly (number | undefined)[] | undefined;
}

const { nombre, empresa, email, telefono, peso, tipo_carga } = fields;

/** Check constraints with allowed words, or with lengths that page, desk and terminal use. */
const CHECKS: Readonly<Record<string, Said>> = {
  quotes_nombre_check: { numbers: [1, nombre.longest] },
  quotes_empresa_check: { numbers: [1, empresa.longest] },
  quotes_email_check: { numbers: [email.longest] },
  quotes_telefono_check: { numbers: [telefono.longest, 7, 15] },
  quotes_peso_check: { numbers: [1, peso.most] },
  quotes_tipo_carga_check: { words: tipo_carga.choices! },
  quotes_origen_check: { words: ORIGINS },
  quotes_whole_check: { words: ['formulario'] satisfies (typeof ORIGINS)[number][], numbers: [0] },
  quote_desk_status_check: { words: STATUSES },
  quote_desk_owner_check: { words: ['nueva', 'tomada'] satisfies (typeof STATUSES)[number][] },
  quote_desk_answered_check: { words: ['respondida'] satisfies (typeof STATUSES)[number][] },
  quote_answers_body_check: { numbers: [1, LONGEST.answer] },
  quote_answers_price_check: { numbers: [0.01, 999_999_999.99, 2, 0, 3] },
  quote_answers_price_for_check: { words: PRICED_PER },
  quote_answers_currency_check: { words: CURRENCIES },
  quote_answers_author_name_check: { numbers: [1, LONGEST.colleague] },
  quote_answers_kind_check: { words: ANSWER_KINDS },
  quote_answers_kilos_check: { numbers: [1, peso.most] },
  quote_answers_offer_check: { words: ['oferta'] satisfies AnswerKind[], numbers: [0, 0] },
  quote_offers_state_check: { words: OFFER_STATES },
  offer_moves_state_check: { words: DESK_MOVES },
  offer_moves_word_check: { words: ['aceptada', 'sinespacio'] satisfies DeskMove[], numbers: [LONGEST.move] },
  offer_moves_reference_check: { words: ['reservada'] satisfies DeskMove[], numbers: [LONGEST.reference] },
  shipment_flights_origin_check: { words: AIRPORTS },
  shipment_flights_near_check: { words: ['UTC'], numbers: [366, 366, 31, 31, 31, 31, 31, 31] },
  shipment_steps_step_check: { words: STEP_CODES },
  shipment_steps_word_check: { words: ['detenida'] satisfies StepCode[], numbers: [LONGEST.move] },
  shipment_steps_waste_check: { words: ['entregada'] satisfies StepCode[], numbers: [0, 100, 1] },
  shipment_steps_corrects_check: { words: ['anulada'] satisfies StepCode[] },
  quote_desk_lost_reason_check: { words: [...LOST_REASONS, 'perdida' satisfies (typeof STATUSES)[number]] },
  quote_replies_verdict_check: { words: VERDICTS },
  quote_replies_kind_check: { words: REPLY_KINDS },
  quote_replies_accepted_check: { words: ['aceptada'] satisfies (typeof REPLY_KINDS)[number][] },
  quote_replies_body_check: {
    words: ['aceptada'] satisfies (typeof REPLY_KINDS)[number][],
    numbers: [LONGEST.question],
  },
  quote_replies_seen_check: { words: ['aceptada'] satisfies (typeof REPLY_KINDS)[number][] },
  quote_notes_body_check: { numbers: [1, LONGEST.note] },
  quote_events_code_check: { words: EVENTS },
  alerts_kind_check: { words: ALERT_KINDS },
  desk_acts_kind_check: { words: DESK_ACTS },
  desk_acts_export_check: { words: ['exporte'] satisfies (typeof DESK_ACTS)[number][], numbers: [0, 0, 1, 40, 2] },
  desk_acts_leads_check: { words: ['exporte'] satisfies (typeof DESK_ACTS)[number][], numbers: [MOST_EXPORTED] },
  desk_acts_quote_check: { words: ['exporte'] satisfies (typeof DESK_ACTS)[number][] },
  desk_templates_name_check: { numbers: [1, LONGEST.template] },
  desk_templates_body_check: { numbers: [1, LONGEST.answer] },
  desk_templates_body_en_check: { numbers: [1, LONGEST.answer] },
  desk_templates_both_check: { numbers: [2, LONGEST.answer] },
  desk_templates_kind_check: { words: ANSWER_KINDS },
  desk_templates_lines_check: { words: [...PRICED_PER, ...CURRENCIES, 'oferta' satisfies AnswerKind], numbers: [3, 1] },
  exchange_rates_currency_check: { words: RATED },
  exchange_rates_source_check: { numbers: [1, LONGEST_SOURCE] },
  desk_reminders_why_check: { words: REMINDER_REASONS },
  staff_signs_kind_check: { words: STAFF_SIGNS },
  staff_signs_heir_check: { words: ['mevoy'] satisfies (typeof STAFF_SIGNS)[number][] },
  alert_messages_way_check: { words: ALERT_WAYS },
  alert_messages_delivery_check: { words: DELIVERIES },
  quote_details_producto_check: { numbers: [LONGEST_DETAIL] },
  quote_details_empaque_check: { words: PACKED },
  quote_details_piezas_check: { numbers: [1, MOST.piezas] },
  quote_details_largo_check: { numbers: [1, MOST.largo] },
  quote_details_ancho_check: { numbers: [1, MOST.ancho] },
  quote_details_alto_check: { numbers: [1, MOST.alto] },
  quote_details_kilos_check: { numbers: [1, MOST.kilos] },
  quote_details_salida_check: { numbers: [LONGEST_DETAIL] },
  quote_details_destino_check: { numbers: [LONGEST_DETAIL] },
  quote_details_temperatura_check: { words: TEMPERATURES },
  quote_details_incoterm_check: { words: INCOTERMS },
  quote_files_nombre_check: { numbers: [LONGEST_FILE_NAME] },
  quote_files_tipo_check: { words: FILE_TYPES },
  quote_files_bytes_check: { numbers: [1, MOST_FILE_BYTES] },
  shipment_papers_estado_check: { words: PAPER_STATES },
  alerts_of_one_check: { words: COLLECTED_KINDS, numbers: [0, 1] },
  received_messages_channel_check: { words: CHANNELS },
  received_messages_state_check: { words: RECEIVED_STATES },
  received_messages_body_check: { numbers: [LONGEST.question] },
  webhooks_events_check: { words: WEBHOOK_EVENTS, numbers: [0] },
  webhook_deliveries_state_check: { words: WEBHOOK_STATES },
  webhook_deliveries_next_check: { words: WEBHOOK_STATES.filter((state) => !['waiting', 'sending'].includes(state)) },
  quote_sends_kind_check: { words: ['quotes', 'replies', 'devices', 'files'] },
};

const inOrder = (words: Iterable<string>, numbers: Iterable<unknown>) => ({
  words: [...words].toSorted(),
  numbers: [...numbers].map(String).toSorted(),
});

test('database constraints allow the same values and lengths as page, desk and terminal', async () => {
  const checks = await owner<{
    name: string;
    says: string;
  }>(`select conname as name, pg_get_constraintdef(oid) as says from pg_constraint
     where contype = 'c' and connamespace in ('public'::regnamespace, 'private'::regnamespace)`);
  const found = checks.flatMap(({ name, says }) => {
    const words = [...says.matchAll(/'([A-Za-z][A-Za-z\d]{2,}(?:[./][a-z]+)?)'::text/g)].map(([, word]) => word!);
    const figures = [...says.replaceAll(/'[^']*'/g, '').matchAll(/(?<!\w)\d+(\.\d+)?/g)];
    const numbers = figures.map(([figure]) => Number(figure));
    return name in CHECKS || words.length > 0 ? [[name, inOrder(new Set(words), numbers)]] : [];
  });
  const expected = Object.entries(CHECKS).map(([name, { words = [], numbers = [] }]) => [
    name,
    inOrder(words, numbers),
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  expect(['0.01', '999999999.99', '0', '0.001', '1000000000'].filter(isPrice)).toEqual(['0.01', '999999999.99']);
  expect(['9999-12-31', '10000-01-01', 'infinity'].filter(isDay)).toEqual(['9999-12-31']);
});

test('database and desk agree which kinds of alert are meant for the customer', async () => {
  const sql = 'select kind from unnest($1::text[]) as kind where private.is_for_customer(kind)';
  const found = await owner<{ kind: string }>(sql, [ALERT_KINDS]);
  expect(found.map(({ kind }) => kind)).toEqual(ALERT_KINDS.filter(isForCustomer));
});

test('each foreign key has an index, so that referring rows are found fast', async () => {
  const sql = `select k.conrelid::regclass || '.' || k.conname as name from pg_constraint as k
    where k.contype = 'f' and k.connamespace in ('public'::regnamespace, 'private'::regnamespace) and not exists (
      select from pg_index as i join pg_attribute as a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = k.conrelid and a.attnum = any (k.conkey) and (i.indpred is null
        or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', a.attname)))`;
  expect(await owner(sql)).toEqual([]);
});

test('a change of the promised hours applies only to quotes that arrive afterwards', async () => {
  const hoursOf = (id: string) =>
    owner(
      `select extract(epoch from due_at - created_at)::float8 / 3600 as due,
         extract(epoch from promised_at - created_at)::float8 / 3600 as promised,
         (select extract(epoch from max(a.due_at) - d.created_at)::float8 / 3600 from public.alerts as a
          where a.quote_id = d.quote_id and a.kind = 'tarde') as late
       from public.desk_leads as d where d.quote_id = $1`,
      [id],
    );
  const earlier = await quoting(engine)();
  await asOwner(`select private.keep_promise(interval '${PROMISED_HOURS + 1} hours')`);
  const later = await quoting(engine)();
  for (const [{ id }, hours] of [
    [earlier, PROMISED_HOURS],
    [later, PROMISED_HOURS + 1],
  ] as const)
    expect(await hoursOf(id)).toEqual([{ due: hours, promised: hours, late: hours }]);
});
