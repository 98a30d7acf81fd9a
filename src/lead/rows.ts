import * as z from 'zod/mini';
import type { ANSWER_KINDS, CURRENCIES, OFFER_STATES, PRICED_PER, VERDICTS } from './offer.ts';
import { fileShape } from './files.ts';
import { fields, type Field, type Optional } from './fields.ts';
import { besideMore, fieldShapes, flatRow } from './quote.ts';
import type { WORD_KINDS } from './messages.ts';
import { isRecord, readPresent, readShape, type Of, type Shape } from './shape.ts';
import type { ALERT_KINDS, LOST_REASONS, ORIGINS, REMINDER_REASONS, STATUSES } from './vocabulary.ts';

// Rows that desk and terminal read. Unknown words of a newer release are shown as they are.

const text = z.string();
const perhaps = z.nullable(text);
const word = <Words extends readonly string[]>() => z.custom<Words[number]>((value) => typeof value === 'string');
const noWord = <Words extends readonly string[]>() => z.nullable(word<Words>());
const price = z.nullable(z.number());

const reader =
  <S extends Shape>(shape: S) =>
  (row: unknown): Of<S> | undefined =>
    readShape(shape, row);

const [optional, required] = [true, undefined].map((wanted) =>
  Object.fromEntries(Object.entries(fieldShapes).filter(([name]) => fields[name as Field].optional === wanted)),
);
const moreShapes = { ...(optional as Pick<typeof fieldShapes, Optional>), ...besideMore };

const leadShape = {
  ...(required as Pick<typeof fieldShapes, Exclude<Field, Optional>>),
  /** Null if a phone call left it open. */
  empresa: perhaps,
  email: perhaps,
  peso: z.nullable(fieldShapes.peso),
  tipo_carga: z.nullable(fieldShapes.tipo_carga),
  origen: word<typeof ORIGINS>(),
  quote_id: text,
  folio: text,
  created_at: text,
  promociones: z.boolean(),
  reemplaza: perhaps,
  /** Folio of the quote that this one copies on purpose. */
  igual: perhaps,
  status: word<typeof STATUSES>(),
  assignee: perhaps,
  assignee_name: perhaps,
  open: z.boolean(),
  reply_waiting: z.boolean(),
  asked_at: text,
  due_at: text,
  promised_at: text,
  first_answer_at: perhaps,
  last_answer: perhaps,
  seen_at: perhaps,
  replaced_by: perhaps,
  blocked_at: perhaps,
  /** Time of the first delivery of a quote that this server had lost. */
  entregada: perhaps,
  reply_verdict: noWord<typeof VERDICTS>(),
  /** The kind of the answer to which the last reply is one. */
  reply_to: noWord<typeof ANSWER_KINDS>(),
  lost_reason: noWord<typeof LOST_REASONS>(),
  accepted_price: price,
  accepted_price_for: noWord<typeof PRICED_PER>(),
  accepted_currency: noWord<typeof CURRENCIES>(),
  accepted_kilos: z.nullable(z.number()),
  accepted_valid_until: perhaps,
  accepted_state: noWord<typeof OFFER_STATES>(),
  accepted_reference: perhaps,
  /** The value of the offer that stands or was accepted; of a month where its price is by the kilo. */
  offered: price,
  offered_currency: noWord<typeof CURRENCIES>(),
  /** The last reply, file or details of the customer; of a correction, when it came. */
  news_at: perhaps,
  version: z.number(),
  updated_at: text,
};

export type LeadRow = Of<typeof leadShape> & Partial<Of<typeof moreShapes>>;

export function readLeadRow(row: unknown): LeadRow | undefined {
  const flat = isRecord(row) ? flatRow(row) : {};
  const lead = readShape(leadShape, flat);
  return lead && { ...lead, ...readPresent(moreShapes, flat) };
}

const historyShape = {
  quote_id: text,
  folio: text,
  created_at: text,
  status: word<typeof STATUSES>(),
  assignee: perhaps,
  lost_reason: noWord<typeof LOST_REASONS>(),
  replaced_by: perhaps,
  accepted_state: noWord<typeof OFFER_STATES>(),
  price,
  price_for: noWord<typeof PRICED_PER>(),
  currency: noWord<typeof CURRENCIES>(),
  kilos: z.nullable(z.number()),
  valid_until: perhaps,
  state: noWord<typeof OFFER_STATES>(),
};
export type HistoryRow = Of<typeof historyShape>;
export const readHistoryRow = reader(historyShape);

const answerShape = {
  id: text,
  created_at: text,
  body: text,
  price,
  price_for: noWord<typeof PRICED_PER>(),
  currency: noWord<typeof CURRENCIES>(),
  valid_until: perhaps,
  kind: word<typeof ANSWER_KINDS>(),
  kilos: z.nullable(z.number()),
  author: perhaps,
  author_name: perhaps,
};
export type AnswerRow = Of<typeof answerShape>;
export const readAnswerRow = reader(answerShape);

/** State of an offer. Expiry is not stored; it follows from the last day. */
const offerShape = {
  answer_id: text,
  state: word<typeof OFFER_STATES>(),
  state_at: text,
  word: perhaps,
  reference: perhaps,
};
export type OfferRow = Of<typeof offerShape>;
export const readOfferRow = reader(offerShape);

const replyShape = {
  id: text,
  created_at: text,
  kind: word<typeof WORD_KINDS>(),
  body: text,
  answer_id: perhaps,
  entregada: perhaps,
  pressed_at: perhaps,
  verdict: noWord<typeof VERDICTS>(),
  enlace: z.boolean(),
};
export type ReplyRow = Of<typeof replyShape>;
export const readReplyRow = reader(replyShape);

const noteShape = { id: text, created_at: text, body: text, author: text, author_name: perhaps };
export type NoteRow = Of<typeof noteShape>;
export const readNoteRow = reader(noteShape);

const templateShape = {
  id: text,
  name: text,
  body: text,
  body_en: perhaps,
  kind: word<typeof ANSWER_KINDS>(),
  place: z.number(),
  changed_by_name: perhaps,
  changed_at: text,
};
export type TemplateRow = Of<typeof templateShape>;
export const readTemplateRow = reader(templateShape);

/** Time at which a lead returns to its owner, and who set it. */
const reminderShape = { quote_id: text, staff: text, at: text, why: word<typeof REMINDER_REASONS>() };
export type ReminderRow = Of<typeof reminderShape>;
export const readReminderRow = reader(reminderShape);

const eventShape = { id: z.number(), at: text, code: text, actor: perhaps };
export type EventRow = Of<typeof eventShape>;
export const readEventRow = reader(eventShape);

export const readClosingRow = reader({ id: text, created_at: text });

const fileRowShape = { ...fileShape, id: text, whole_at: perhaps };
export type FileRow = Of<typeof fileRowShape>;
export const readFileRow = reader(fileRowShape);

export const readMailRow = reader({
  answer_id: text,
  kind: word<typeof ALERT_KINDS>(),
  attempts: z.number(),
  next_at: perhaps,
  sent_at: perhaps,
  said: perhaps,
});
export type MailRow = NonNullable<ReturnType<typeof readMailRow>>;
export const readSeenRow = reader({ answer_id: text, seen_at: text });

/** Times of a lead's first alert: sent, shown on a device, and taken by somebody. */
const alertShape = { sent_at: text, shown_at: perhaps, taken_at: perhaps };
export type AlertRow = Of<typeof alertShape>;
export const readAlertRow = reader(alertShape);

/** Counts of a locked desk: open requests, late ones, and the time of the newest. */
const watchShape = { open: z.number(), late: z.number(), newest: perhaps };
export type WatchRow = Of<typeof watchShape>;
export const readWatchRow = reader(watchShape);

export const readSenderRow = reader({ ran_at: perhaps });

/** A colleague, and the ways in which an alert reaches them now. */
const reachShape = { staff: text, name: text, here: z.boolean(), at_desk: z.boolean(), devices: z.number() };
export type ReachRow = Of<typeof reachShape>;
export const readReachRow = reader(reachShape);

const exportShape = { id: text, at: text, staff_name: perhaps, rows: z.number() };
export type ExportRow = Of<typeof exportShape>;
export const readExportRow = reader(exportShape);

export const readExportedRow = reader({ leads: z.array(text) });

export const readPushKeyRow = reader({ public_key: text });
