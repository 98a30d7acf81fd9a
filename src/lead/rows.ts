import * as z from 'zod/mini';
import type { RATED } from './offer-lines.ts';
import type { ANSWER_KINDS, CURRENCIES, OFFER_STATES, PRICED_PER, VERDICTS } from './offer.ts';
import { fileShape } from './files.ts';
import { fields, type Field, type Optional } from './fields.ts';
import type { STEPS } from './shipment.ts';
import { extraMore, fieldShapes, flatRow } from './quote.ts';
import type { REPLY_KINDS } from './messages.ts';
import { isRecord, readValidParts, readShape, type Valid, type Shape } from './validation.ts';
import type {
  ALERT_KINDS,
  ALERT_WAYS,
  CHANNELS,
  DELIVERIES,
  LOST_REASONS,
  ORIGINS,
  RECEIVED_STATES,
  REMINDER_REASONS,
  STATUSES,
} from './vocabulary.ts';

// Schemas of the database rows that desk and command line read. A value that only a newer release knows is accepted and
// shown as it is.

const text = z.string();
const textOrNull = z.nullable(text);
const word = <Words extends readonly string[]>() => z.custom<Words[number]>((value) => typeof value === 'string');
const wordOrNull = <Words extends readonly string[]>() => z.nullable(word<Words>());
const numberOrNull = z.nullable(z.number());

const reader =
  <S extends Shape>(shape: S) =>
  (row: unknown): Valid<S> | undefined =>
    readShape(shape, row);

const [optional, required] = [true, undefined].map((wanted) =>
  Object.fromEntries(Object.entries(fieldShapes).filter(([name]) => fields[name as Field].optional === wanted)),
);
const moreShapes = { ...(optional as Pick<typeof fieldShapes, Optional>), ...extraMore };

const leadShape = {
  ...(required as Pick<typeof fieldShapes, Exclude<Field, Optional>>),
  /**
   * Null if a colleague recorded or imported the lead without a company. E-mail, weight and type of cargo below can be
   * missing for the same reason.
   */
  empresa: textOrNull,
  email: textOrNull,
  peso: z.nullable(fieldShapes.peso),
  tipo_carga: z.nullable(fieldShapes.tipo_carga),
  origen: word<typeof ORIGINS>(),
  quote_id: text,
  folio: text,
  created_at: text,
  promociones: z.boolean(),
  reemplaza: textOrNull,
  /** Folio of the quote that the customer copied to make this one. */
  igual: textOrNull,
  /** Time at which the team imported the lead from a file. */
  importada: textOrNull,
  status: word<typeof STATUSES>(),
  assignee: textOrNull,
  assignee_name: textOrNull,
  open: z.boolean(),
  reply_waiting: z.boolean(),
  asked_at: text,
  due_at: text,
  promised_at: text,
  first_answer_at: textOrNull,
  last_answer: textOrNull,
  seen_at: textOrNull,
  replaced_by: textOrNull,
  blocked_at: textOrNull,
  /** Time of the first delivery, if this server had lost the quote and received it again. */
  entregada: textOrNull,
  reply_verdict: wordOrNull<typeof VERDICTS>(),
  /** Kind of answer to which the customer's last reply refers. */
  reply_to: wordOrNull<typeof ANSWER_KINDS>(),
  lost_reason: wordOrNull<typeof LOST_REASONS>(),
  accepted_price: numberOrNull,
  accepted_price_for: wordOrNull<typeof PRICED_PER>(),
  accepted_currency: wordOrNull<typeof CURRENCIES>(),
  accepted_kilos: z.nullable(z.number()),
  accepted_valid_until: textOrNull,
  accepted_state: wordOrNull<typeof OFFER_STATES>(),
  accepted_reference: textOrNull,
  accepted_lines: z.unknown(),
  accepted_total: numberOrNull,
  accepted_pesos: numberOrNull,
  /** Last milestone of the booked shipment. */
  step: wordOrNull<typeof STEPS>(),
  /** Amount of the valid or accepted offer; if the price is per kilo, the amount for one month. */
  offered: numberOrNull,
  offered_currency: wordOrNull<typeof CURRENCIES>(),
  /** Time of the latest news from the customer: a reply, file, shipment details, or a correction that arrived. */
  news_at: textOrNull,
  version: z.number(),
  updated_at: text,
};

export type LeadRow = Valid<typeof leadShape> & Partial<Valid<typeof moreShapes>>;

export function readLeadRow(row: unknown): LeadRow | undefined {
  const flat = isRecord(row) ? flatRow(row) : {};
  const lead = readShape(leadShape, flat);
  return lead && { ...lead, ...readValidParts(moreShapes, flat) };
}

const historyShape = {
  quote_id: text,
  folio: text,
  created_at: text,
  status: word<typeof STATUSES>(),
  assignee: textOrNull,
  lost_reason: wordOrNull<typeof LOST_REASONS>(),
  replaced_by: textOrNull,
  accepted_state: wordOrNull<typeof OFFER_STATES>(),
  price: numberOrNull,
  price_for: wordOrNull<typeof PRICED_PER>(),
  currency: wordOrNull<typeof CURRENCIES>(),
  kilos: z.nullable(z.number()),
  valid_until: textOrNull,
  state: wordOrNull<typeof OFFER_STATES>(),
};
export type HistoryRow = Valid<typeof historyShape>;
export const readHistoryRow = reader(historyShape);

const answerShape = {
  id: text,
  created_at: text,
  body: text,
  price: numberOrNull,
  price_for: wordOrNull<typeof PRICED_PER>(),
  currency: wordOrNull<typeof CURRENCIES>(),
  valid_until: textOrNull,
  kind: word<typeof ANSWER_KINDS>(),
  kilos: z.nullable(z.number()),
  lines: z.unknown(),
  total: numberOrNull,
  pesos: numberOrNull,
  rate: numberOrNull,
  rate_source: textOrNull,
  rate_day: textOrNull,
  author: textOrNull,
  author_name: textOrNull,
};
export type AnswerRow = Valid<typeof answerShape>;
export const readAnswerRow = reader(answerShape);

/** State of an offer. The state 'vencida' is not stored but computed from the last valid day. */
const offerShape = {
  answer_id: text,
  state: word<typeof OFFER_STATES>(),
  state_at: text,
  word: textOrNull,
  reference: textOrNull,
};
export type OfferRow = Valid<typeof offerShape>;
export const readOfferRow = reader(offerShape);

const replyShape = {
  id: text,
  created_at: text,
  kind: word<typeof REPLY_KINDS>(),
  body: text,
  answer_id: textOrNull,
  entregada: textOrNull,
  pressed_at: textOrNull,
  verdict: wordOrNull<typeof VERDICTS>(),
  enlace: z.boolean(),
};
export type ReplyRow = Valid<typeof replyShape>;
export const readReplyRow = reader(replyShape);

const noteShape = { id: text, created_at: text, body: text, author: text, author_name: textOrNull };
export type NoteRow = Valid<typeof noteShape>;
export const readNoteRow = reader(noteShape);

const templateShape = {
  id: text,
  name: text,
  body: text,
  body_en: textOrNull,
  kind: word<typeof ANSWER_KINDS>(),
  lines: z.unknown(),
  price_for: wordOrNull<typeof PRICED_PER>(),
  currency: wordOrNull<typeof CURRENCIES>(),
  place: z.number(),
  changed_by_name: textOrNull,
  changed_at: text,
};
export type TemplateRow = Valid<typeof templateShape>;
export const readTemplateRow = reader(templateShape);

const rateShape = { currency: word<typeof RATED>(), pesos: z.number(), source: text, day: text };
/** Exchange rate that the team typed: pesos for one unit of the currency. */
export type RateRow = Valid<typeof rateShape>;
export const readRateRow = reader(rateShape);

/** Reminder about a lead: time at which the lead is due again, the reason, and the colleague who set the reminder. */
const reminderShape = { quote_id: text, staff: text, at: text, why: word<typeof REMINDER_REASONS>() };
export type ReminderRow = Valid<typeof reminderShape>;
export const readReminderRow = reader(reminderShape);

const eventShape = { id: z.number(), at: text, code: text, actor: textOrNull };
export type EventRow = Valid<typeof eventShape>;
export const readEventRow = reader(eventShape);

export const readClosingRow = reader({ id: text, created_at: text });

const fileRowShape = { ...fileShape, id: text, whole_at: textOrNull };
export type FileRow = Valid<typeof fileRowShape>;
export const readFileRow = reader(fileRowShape);

/** Mail or WhatsApp message from the server to the customer. */
export const readMailRow = reader({
  answer_id: text,
  kind: word<typeof ALERT_KINDS>(),
  way: word<typeof ALERT_WAYS>(),
  attempts: z.number(),
  next_at: textOrNull,
  sent_at: textOrNull,
  result: textOrNull,
  /** State of the WhatsApp message as WhatsApp reported it, time of the state, and error code of a failure. */
  delivery: wordOrNull<typeof DELIVERIES>(),
  delivery_at: textOrNull,
  code: numberOrNull,
});
/**
 * WhatsApp of a customer. `is_on`: the server can send by WhatsApp. `wanted`: the customer asked for it.
 * `window_until`: end of the time in which WhatsApp allows free text.
 */
export const readWhatsAppRow = reader({ is_on: z.boolean(), wanted: z.boolean(), window_until: textOrNull });
export type WhatsAppRow = NonNullable<ReturnType<typeof readWhatsAppRow>>;
export const readMailStopRow = reader({ created_at: text });
export type MailRow = NonNullable<ReturnType<typeof readMailRow>>;

/** Mail or WhatsApp message from a customer. */
const receivedShape = {
  id: text,
  channel: word<typeof CHANNELS>(),
  sender: text,
  sender_name: textOrNull,
  body: text,
  /** Full text, if `body` is only a part of it. */
  whole: textOrNull,
  received_at: text,
  quote_id: textOrNull,
  unproven: z.boolean(),
  unstored_files: z.number(),
  more: z.number(),
  state: word<typeof RECEIVED_STATES>(),
};
export type ReceivedRow = Valid<typeof receivedShape>;
export const readReceivedRow = reader(receivedShape);

/** Lead to which a received message may belong. */
const suggestionShape = {
  message_id: text,
  quote_id: text,
  folio: text,
  nombre: text,
  empresa: textOrNull,
  created_at: text,
  status: word<typeof STATUSES>(),
  is_named: z.boolean(),
};
export type SuggestionRow = Valid<typeof suggestionShape>;
export const readSuggestionRow = reader(suggestionShape);

export const readReceivedFileRow = reader({ message_id: text, nombre: text });

export const readSeenRow = reader({ answer_id: text, seen_at: text });

/** First alert about a lead: times at which it was sent, a device showed it, and a colleague took the lead. */
const alertShape = { sent_at: text, shown_at: textOrNull, taken_at: textOrNull };
export type AlertRow = Valid<typeof alertShape>;
export const readAlertRow = reader(alertShape);

/** Numbers that a locked desk shows: open leads, late leads, and the time of the newest lead. */
const watchShape = { open: z.number(), late: z.number(), newest: textOrNull };
export type WatchRow = Valid<typeof watchShape>;
export const readWatchRow = reader(watchShape);

export const readSenderRow = reader({ ran_at: textOrNull });

/** Colleague, and the ways by which alerts can reach them at this moment. */
const reachShape = { staff: text, name: text, here: z.boolean(), at_desk: z.boolean(), devices: z.number() };
export type ReachRow = Valid<typeof reachShape>;
export const readReachRow = reader(reachShape);

const exportShape = { id: text, at: text, staff_name: textOrNull, rows: z.number() };
export type ExportRow = Valid<typeof exportShape>;
export const readExportRow = reader(exportShape);

export const readExportedRow = reader({ leads: z.array(text) });

export const readPushKeyRow = reader({ public_key: text });
