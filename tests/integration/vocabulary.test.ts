import { describe, expect, test } from 'vitest';
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
  isForPhone,
  type DeskMove,
} from '../../src/lead/vocabulary.ts';
import { askAsOwner, asOwner, insertion, introduce, visitor } from './callers.ts';
import { eachEngine } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

const engines = await eachEngine();

interface Said {
  readonly words?: readonly string[];
  readonly numbers?: readonly (number | undefined)[] | undefined;
}

const { nombre, empresa, email, telefono, peso, tipo_carga } = fields;

/** Check constraints of the database, with the allowed values and lengths that page, desk and terminal use. */
const CHECKS: Readonly<Record<string, Said>> = {
  quotes_nombre_check: { numbers: [1, nombre.longest] },
  quotes_empresa_check: { numbers: [1, empresa.longest] },
  quotes_aviso_check: {},
  quotes_email_check: { numbers: [email.longest] },
  quotes_telefono_check: { numbers: [telefono.longest, 7, 15] },
  quotes_peso_check: { numbers: [1, peso.most] },
  quotes_tipo_carga_check: { words: tipo_carga.choices! },
  quotes_seen_check: {},
  quotes_reemplaza_check: {},
  quotes_igual_check: {},
  quotes_origen_check: { words: ORIGINS },
  quotes_whole_check: { words: ['formulario'] satisfies (typeof ORIGINS)[number][], numbers: [0] },
  quotes_more_check: {},
  quote_desk_status_check: { words: STATUSES },
  quote_desk_owner_check: { words: ['nueva', 'tomada'] satisfies (typeof STATUSES)[number][] },
  quote_desk_answered_check: { words: ['respondida'] satisfies (typeof STATUSES)[number][] },
  quote_answers_body_check: { numbers: [1, LONGEST.answer] },
  quote_answers_price_check: { numbers: [0.01, 999_999_999.99, 2, 0, 3] },
  quote_answers_price_for_check: { words: PRICED_PER },
  quote_answers_currency_check: { words: CURRENCIES },
  quote_answers_valid_until_check: {},
  quote_answers_author_name_check: { numbers: [1, LONGEST.colleague] },
  quote_answers_seen_check: {},
  quote_answers_kind_check: { words: ANSWER_KINDS },
  quote_answers_kilos_check: { numbers: [1, peso.most] },
  quote_answers_lines_check: {},
  quote_answers_offer_check: { words: ['oferta'] satisfies AnswerKind[], numbers: [0, 0] },
  quote_offers_state_check: { words: OFFER_STATES },
  offer_moves_state_check: { words: DESK_MOVES },
  offer_moves_word_check: { words: ['aceptada', 'sinespacio'] satisfies DeskMove[], numbers: [LONGEST.move] },
  offer_moves_reference_check: { words: ['reservada'] satisfies DeskMove[], numbers: [LONGEST.reference] },
  shipment_flights_flight_check: {},
  shipment_flights_origin_check: { words: AIRPORTS },
  shipment_flights_waybill_check: {},
  shipment_flights_day_check: {},
  shipment_flights_order_check: {},
  shipment_flights_near_check: { words: ['UTC'], numbers: [366, 366, 31, 31, 31, 31, 31, 31] },
  shipment_steps_step_check: { words: STEP_CODES },
  shipment_steps_word_check: { words: ['detenida'] satisfies StepCode[], numbers: [LONGEST.move] },
  shipment_steps_waste_check: { words: ['entregada'] satisfies StepCode[], numbers: [0, 100, 1] },
  shipment_steps_corrects_check: { words: ['anulada'] satisfies StepCode[] },
  import_secret_only_one_check: {},
  quote_desk_lost_reason_check: { words: [...LOST_REASONS, 'perdida' satisfies (typeof STATUSES)[number]] },
  quote_replies_hace_check: { numbers: [0] },
  quote_replies_verdict_check: { words: VERDICTS },
  quote_replies_kind_check: { words: REPLY_KINDS },
  quote_replies_accepted_check: { words: ['aceptada'] satisfies (typeof REPLY_KINDS)[number][] },
  quote_replies_body_check: {
    words: ['aceptada'] satisfies (typeof REPLY_KINDS)[number][],
    numbers: [LONGEST.question],
  },
  quote_replies_seen_check: { words: ['aceptada'] satisfies (typeof REPLY_KINDS)[number][] },
  quote_notes_body_check: { numbers: [1, LONGEST.note] },
  quote_notes_seen_check: {},
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
  desk_templates_lines_check: {
    words: [...PRICED_PER, ...CURRENCIES, 'oferta' satisfies AnswerKind],
    numbers: [3, 1],
  },
  exchange_rates_currency_check: { words: RATED },
  exchange_rates_pesos_check: { numbers: [0.0001, 9999.9999, 4] },
  exchange_rates_source_check: { numbers: [1, LONGEST_SOURCE] },
  exchange_rates_day_check: {},
  desk_reminders_why_check: { words: REMINDER_REASONS },
  staff_signs_kind_check: { words: STAFF_SIGNS },
  staff_signs_heir_check: { words: ['mevoy'] satisfies (typeof STAFF_SIGNS)[number][] },
  alert_messages_way_check: { words: ALERT_WAYS },
  alert_messages_delivery_check: { words: DELIVERIES },
  whatsapp_choices_aviso_check: {},
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
  // The checks below have no values or lengths that page, desk or terminal use.
  quote_files_huella_check: {},
  quote_file_parts_base64_check: {},
  quote_file_parts_parte_check: { numbers: [0] },
  quote_limits_file_bytes_check: { numbers: [0] },
  quote_details_hace_check: { numbers: [0] },
  quote_details_lista_check: {},
  shipment_papers_hace_check: { numbers: [0] },
  shipment_papers_papel_check: {},
  shipment_papers_estado_check: { words: PAPER_STATES },
  desk_templates_place_check: { numbers: [0, 1_000_000] },
  desk_reminders_at_check: {},
  promise_one_check: {},
  promise_answer_check: {},
  push_keys_only_one_check: {},
  alert_sender_only_one_check: {},
  alerts_of_one_check: {
    words: COLLECTED_KINDS,
    numbers: [0, 1],
  },
  push_devices_of_one_check: { numbers: [1] },
  push_devices_endpoint_check: { numbers: [1000] },
  push_devices_p256dh_check: {},
  push_devices_auth_check: {},
  quote_limits_only_row_check: {},
  quote_limits_per_address_check: { numbers: [0] },
  quote_limits_overall_check: { numbers: [0] },
  received_messages_channel_check: { words: CHANNELS },
  received_messages_state_check: { words: RECEIVED_STATES },
  received_messages_body_check: { numbers: [LONGEST.question] },
  received_messages_whole_check: { numbers: [20_000] },
  received_messages_sender_check: { numbers: [320] },
  received_messages_sender_name_check: { numbers: [100] },
  received_messages_external_id_check: { numbers: [1, 1000] },
  webhooks_url_check: { numbers: [1000] },
  webhooks_events_check: { words: WEBHOOK_EVENTS, numbers: [0] },
  webhooks_secret_check: {},
  webhook_deliveries_state_check: { words: WEBHOOK_STATES },
  webhook_deliveries_next_check: { words: WEBHOOK_STATES.filter((state) => !['waiting', 'sending'].includes(state)) },
  quote_sends_kind_check: { words: ['quotes', 'replies', 'devices', 'files'] },
};

const HOUR = 3_600_000;

const inOrder = (words: Iterable<string>, numbers: Iterable<unknown>) => ({
  words: [...words].toSorted(),
  numbers: [...numbers].map(String).toSorted(),
});

describe.each(engines)('on $name', (engine) => {
  test('database constraints allow the same values and lengths as page, desk and terminal', async () => {
    const checks = await askAsOwner<{ name: string; says: string }>(
      engine,
      `select conname as name, pg_get_constraintdef(oid) as says from pg_constraint
       where contype = 'c' and connamespace in ('public'::regnamespace, 'private'::regnamespace)`,
    );
    const found = checks.map(({ name, says }) => {
      const words = [...says.matchAll(/'([A-Za-z][A-Za-z\d]{2,}(?:[./][a-z]+)?)'::text/g)].map(([, word]) => word!);
      const figures = says.replaceAll(/'[^']*'/g, '').matchAll(/(?<!\w)\d+(\.\d+)?/g);
      return [
        name,
        inOrder(
          new Set(words),
          [...figures].map(([figure]) => Number(figure)),
        ),
      ];
    });
    const expected = Object.entries(CHECKS).map(([name, { words = [], numbers = [] }]) => [
      name,
      inOrder(words, numbers),
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
    expect(['0.01', '999999999.99', '0', '0.001', '1000000000'].map(isPrice)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(['9999-12-31', '10000-01-01', 'infinity'].map(isDay)).toEqual([true, false, false]);
  });

  test('the database and the desk agree which alerts are for the customer', async () => {
    const sql = 'select kind from unnest($1::text[]) as kind where private.is_for_customer(kind)';
    const found = await askAsOwner<{ kind: string }>(engine, sql, [ALERT_KINDS]);
    expect(found.map(({ kind }) => kind)).toEqual(ALERT_KINDS.filter(isForPhone));
  });

  test('a change of the promised hours applies only to quotes that arrive afterwards', async () => {
    const send = async () => {
      const quote = sampleQuote();
      await engine.transaction(async (session) => {
        await introduce(session, visitor);
        await session.query(...insertion('quotes', quote, ''));
      });
      return quote.id;
    };
    const hoursOf = async (id: string) => {
      const [lead] = await askAsOwner<Record<'created_at' | 'due_at' | 'promised_at' | 'late', Date>>(
        engine,
        `select d.created_at, d.due_at, d.promised_at, (select max(a.due_at) from public.alerts as a
           where a.quote_id = d.quote_id and a.kind = 'tarde') as late
         from public.desk_leads as d where d.quote_id = $1`,
        [id],
      );
      const { created_at, due_at, promised_at, late } = lead!;
      return [due_at, promised_at, late].map((at) => (at.getTime() - created_at.getTime()) / HOUR);
    };
    const earlier = await send();
    await asOwner(engine, `select private.keep_promise(interval '${PROMISED_HOURS + 1} hours')`);
    const later = await send();
    expect(await hoursOf(earlier)).toEqual([PROMISED_HOURS, PROMISED_HOURS, PROMISED_HOURS]);
    expect(await hoursOf(later)).toEqual([PROMISED_HOURS + 1, PROMISED_HOURS + 1, PROMISED_HOURS + 1]);
  });
});
