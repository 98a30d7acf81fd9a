import * as z from 'zod/mini';
import type { ANSWER_KINDS, CURRENCIES, OFFER_STATES, PRICED_PER, VERDICTS } from './offer.ts';
import { fileShape } from './files.ts';
import { columnShapes } from './quote.ts';
import type { REPLY_KINDS } from './said.ts';
import { readShape, type Of } from './shape.ts';
import type { LOST_REASONS, ORIGINS, REMINDER_REASONS, STATUSES } from './vocabulary.ts';

// The rows of the desk, as desk and terminal read them. A word or a price may be one of another release, or none that
// can be shown: whoever shows a row says so, and hides no other.

const text = z.string();
const perhaps = z.nullable(text);
const word = <Words extends readonly string[]>() => z.custom<Words[number]>((value) => typeof value === 'string');
const noWord = <Words extends readonly string[]>() =>
  z.custom<Words[number] | null>((value) => value === null || typeof value === 'string');

const leadShape = {
  ...columnShapes,
  /** What was not said in a call is null. */
  empresa: perhaps,
  email: perhaps,
  peso: z.nullable(columnShapes.peso),
  tipo_carga: z.nullable(columnShapes.tipo_carga),
  origen: word<typeof ORIGINS>(),
  quote_id: text,
  folio: text,
  created_at: text,
  promociones: z.boolean(),
  llamada: z.boolean(),
  reemplaza: perhaps,
  /** The folio of the quote that it is a copy of, and is meant to be. */
  igual: perhaps,
  /** The kilos of one shipment, where its sender measured it. */
  embarque: z.nullable(z.number()),
  status: word<typeof STATUSES>(),
  assignee: perhaps,
  assignee_name: perhaps,
  open: z.boolean(),
  backlog: z.boolean(),
  before_desk: z.boolean(),
  reply_waiting: z.boolean(),
  asked_at: text,
  due_at: text,
  promised_at: text,
  first_answer_at: perhaps,
  last_answer: perhaps,
  seen_at: perhaps,
  replaced_by: perhaps,
  blocked_at: perhaps,
  /** Its phone has sent it again, after this server had lost it: when it first came. */
  entregada: perhaps,
  /** What the acceptance is worth that came last. */
  reply_verdict: noWord<typeof VERDICTS>(),
  lost_reason: noWord<typeof LOST_REASONS>(),
  /** The offer that was accepted, and what became of it. */
  accepted_price: z.custom<number | null>((value) => value === null || ['number', 'string'].includes(typeof value)),
  accepted_price_for: noWord<typeof PRICED_PER>(),
  accepted_currency: noWord<typeof CURRENCIES>(),
  accepted_kilos: z.nullable(z.number()),
  accepted_valid_until: perhaps,
  accepted_state: noWord<typeof OFFER_STATES>(),
  accepted_reference: perhaps,
  version: z.number(),
  updated_at: text,
};

/** A row of `desk_leads`. */
export type LeadRow = Of<typeof leadShape>;

/** What a database of an earlier release does not know. */
const LATER = {
  entregada: null,
  origen: 'formulario' as const,
  embarque: null,
  igual: null,
  reply_verdict: null,
  lost_reason: null,
  accepted_price: null,
  accepted_price_for: null,
  accepted_currency: null,
  accepted_kilos: null,
  accepted_valid_until: null,
  accepted_state: null,
  accepted_reference: null,
};
export const readLeadRow = (row: unknown): LeadRow | undefined => readShape(leadShape, row, LATER);

/** Another lead of the same customer, with the price that it was given last. */
const historyShape = {
  quote_id: text,
  folio: text,
  created_at: text,
  status: word<typeof STATUSES>(),
  assignee: perhaps,
  lost_reason: noWord<typeof LOST_REASONS>(),
  replaced_by: perhaps,
  accepted_state: noWord<typeof OFFER_STATES>(),
  price: z.custom<number | null>((value) => value === null || ['number', 'string'].includes(typeof value)),
  price_for: noWord<typeof PRICED_PER>(),
  currency: noWord<typeof CURRENCIES>(),
  kilos: z.nullable(z.number()),
  valid_until: perhaps,
  state: noWord<typeof OFFER_STATES>(),
};
export type HistoryRow = Of<typeof historyShape>;
export const readHistoryRow = (row: unknown): HistoryRow | undefined => readShape(historyShape, row);

const answerShape = {
  id: text,
  created_at: text,
  body: text,
  // NaN and infinities are no numbers in JSON: the server sends them as words.
  price: z.custom<number | null>((value) => value === null || ['number', 'string'].includes(typeof value)),
  price_for: noWord<typeof PRICED_PER>(),
  currency: noWord<typeof CURRENCIES>(),
  valid_until: perhaps,
  kind: noWord<typeof ANSWER_KINDS>(),
  kilos: z.nullable(z.number()),
  author: perhaps,
  author_name: perhaps,
};
export type AnswerRow = Of<typeof answerShape>;
export const readAnswerRow = (row: unknown): AnswerRow | undefined =>
  readShape(answerShape, row, { kind: null, kilos: null });

/** Where an offer stands. That its last day is over is written nowhere. */
const offerShape = {
  answer_id: text,
  state: word<typeof OFFER_STATES>(),
  state_at: text,
  word: perhaps,
  reference: perhaps,
};
export type OfferRow = Of<typeof offerShape>;
export const readOfferRow = (row: unknown): OfferRow | undefined => readShape(offerShape, row);

const replyShape = {
  id: text,
  created_at: text,
  kind: word<typeof REPLY_KINDS>(),
  body: text,
  answer_id: perhaps,
  entregada: perhaps,
  pressed_at: perhaps,
  verdict: noWord<typeof VERDICTS>(),
};
export type ReplyRow = Of<typeof replyShape>;
export const readReplyRow = (row: unknown): ReplyRow | undefined =>
  readShape(replyShape, row, { entregada: null, pressed_at: null, verdict: null });

const noteShape = { id: text, created_at: text, body: text, author: text, author_name: perhaps };
export type NoteRow = Of<typeof noteShape>;
export const readNoteRow = (row: unknown): NoteRow | undefined => readShape(noteShape, row);

/** What the sales team has written beforehand. */
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
export const readTemplateRow = (row: unknown): TemplateRow | undefined => readShape(templateShape, row);

/** When a lead comes back to its owner, and who said so. */
const reminderShape = { quote_id: text, staff: text, at: text, why: word<typeof REMINDER_REASONS>() };
export type ReminderRow = Of<typeof reminderShape>;
export const readReminderRow = (row: unknown): ReminderRow | undefined => readShape(reminderShape, row);

const eventShape = { id: z.number(), at: text, code: text, actor: perhaps };
export type EventRow = Of<typeof eventShape>;
export const readEventRow = (row: unknown): EventRow | undefined => readShape(eventShape, row);

/** A closing of the link of a quote. */
const closingShape = { id: text, created_at: text };
export const readClosingRow = (row: unknown): Of<typeof closingShape> | undefined => readShape(closingShape, row);

/** A picture or a paper; `whole_at` once all its parts have come. */
const fileRowShape = { ...fileShape, id: text, whole_at: perhaps };
export type FileRow = Of<typeof fileRowShape>;
export const readFileRow = (row: unknown): FileRow | undefined => readShape(fileRowShape, row);

const seenShape = { answer_id: text, seen_at: text };
export const readSeenRow = (row: unknown): Of<typeof seenShape> | undefined => readShape(seenShape, row);

/** When the first alert of a lead left, when a device had shown one, and when somebody took the lead. */
const alertShape = { sent_at: text, shown_at: perhaps, taken_at: perhaps };
export type AlertRow = Of<typeof alertShape>;
export const readAlertRow = (row: unknown): AlertRow | undefined => readShape(alertShape, row);

/** What a locked desk counts: open requests, those that are late, and when the newest was asked. */
const watchShape = { open: z.number(), late: z.number(), newest: perhaps };
export type WatchRow = Of<typeof watchShape>;
export const readWatchRow = (row: unknown): WatchRow | undefined => readShape(watchShape, row);

/** When whoever sends alerts last asked for what is due. */
const senderShape = { ran_at: perhaps };
export const readSenderRow = (row: unknown): Of<typeof senderShape> | undefined => readShape(senderShape, row);

/** A colleague, and how an alert finds them now. */
const reachShape = { staff: text, name: text, here: z.boolean(), at_desk: z.boolean(), devices: z.number() };
export type ReachRow = Of<typeof reachShape>;
export const readReachRow = (row: unknown): ReachRow | undefined => readShape(reachShape, row);

/** Who downloaded how many rows. */
const exportShape = { id: text, at: text, staff_name: perhaps, rows: z.number() };
export type ExportRow = Of<typeof exportShape>;
export const readExportRow = (row: unknown): ExportRow | undefined => readShape(exportShape, row);

const pushKeyShape = { public_key: text };
export const readPushKeyRow = (row: unknown): Of<typeof pushKeyShape> | undefined => readShape(pushKeyShape, row);
