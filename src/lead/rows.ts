import * as z from 'zod/mini';
import type { CURRENCIES, PRICED_PER } from './offer.ts';
import { columnShapes } from './quote.ts';
import type { REPLY_KINDS } from './said.ts';
import { readShape, type Of } from './shape.ts';
import type { STATUSES } from './vocabulary.ts';

// The rows of the desk, as desk and terminal read them. A word or a price may be one of another release, or none that
// can be shown: whoever shows a row says so, and hides no other.

const text = z.string();
const perhaps = z.nullable(text);
const word = <Words extends readonly string[]>() => z.custom<Words[number]>((value) => typeof value === 'string');
const noWord = <Words extends readonly string[]>() =>
  z.custom<Words[number] | null>((value) => value === null || typeof value === 'string');

const leadShape = {
  ...columnShapes,
  quote_id: text,
  folio: text,
  created_at: text,
  promociones: z.boolean(),
  llamada: z.boolean(),
  reemplaza: perhaps,
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
  version: z.number(),
  updated_at: text,
};

/** A row of `desk_leads`. */
export type LeadRow = Of<typeof leadShape>;

/** A database of an older release does not know what its phone has sent again. */
export const readLeadRow = (row: unknown): LeadRow | undefined => readShape(leadShape, row, { entregada: null });

const answerShape = {
  id: text,
  created_at: text,
  body: text,
  // NaN and infinities are no numbers in JSON: the server sends them as words.
  price: z.custom<number | null>((value) => value === null || ['number', 'string'].includes(typeof value)),
  price_for: noWord<typeof PRICED_PER>(),
  currency: noWord<typeof CURRENCIES>(),
  valid_until: perhaps,
  author: perhaps,
  author_name: perhaps,
};
export type AnswerRow = Of<typeof answerShape>;
export const readAnswerRow = (row: unknown): AnswerRow | undefined => readShape(answerShape, row);

const replyShape = { id: text, created_at: text, kind: word<typeof REPLY_KINDS>(), body: text, entregada: perhaps };
export type ReplyRow = Of<typeof replyShape>;
export const readReplyRow = (row: unknown): ReplyRow | undefined => readShape(replyShape, row, { entregada: null });

const noteShape = { id: text, created_at: text, body: text, author: text, author_name: perhaps };
export type NoteRow = Of<typeof noteShape>;
export const readNoteRow = (row: unknown): NoteRow | undefined => readShape(noteShape, row);

const eventShape = { id: z.number(), at: text, code: text, actor: perhaps };
export type EventRow = Of<typeof eventShape>;
export const readEventRow = (row: unknown): EventRow | undefined => readShape(eventShape, row);

const seenShape = { answer_id: text, seen_at: text };
export const readSeenRow = (row: unknown): Of<typeof seenShape> | undefined => readShape(seenShape, row);

/** When the first alert of a lead left, when a device had shown one, and when somebody took the lead. */
const alertShape = { sent_at: text, shown_at: perhaps, taken_at: perhaps };
export type AlertRow = Of<typeof alertShape>;
export const readAlertRow = (row: unknown): AlertRow | undefined => readShape(alertShape, row);

const pushKeyShape = { public_key: text };
export const readPushKeyRow = (row: unknown): Of<typeof pushKeyShape> | undefined => readShape(pushKeyShape, row);
