import { readPaperRow, type PaperRow } from '../../lead/papers.ts';
import { readDetailsRow, type DetailsRow } from '../../lead/details.ts';
import { LINK_ADDRESS } from '../../agreements.ts';
import { linkCode } from '../../lead/quote-link.ts';
import {
  readAnswerRow,
  readClosingRow,
  readEventRow,
  readFileRow,
  readMailRow,
  readMailStopRow,
  readNoteRow,
  readOfferRow,
  readReceivedRow,
  readReplyRow,
  readSeenRow,
  readWhatsAppRow,
  type AnswerRow,
  type EventRow,
  type FileRow,
  type MailRow,
  type NoteRow,
  type OfferRow,
  type ReachRow,
  type ReceivedRow,
  type ReplyRow,
  type WhatsAppRow,
} from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';
import type { Lead } from '../lead/lead.ts';
import { findByFolio, leadById, readLead } from './lead-feed.ts';

/** Entry of the conversation: the desk's answer, the customer's reply, a colleague's note, or an event of the lead. */
export type Word = { readonly id: string; readonly at: string } & (
  | {
      readonly kind: 'answer';
      readonly answer: AnswerRow;
      readonly offer: OfferRow | undefined;
      readonly seenAt: string | undefined;
      /** Mails and WhatsApp messages to the customer about this answer, or about what became of its offer. */
      readonly mails: readonly MailRow[];
      /** True if the customer stopped mail before this answer. */
      readonly isMailStopped: boolean;
    }
  | {
      readonly kind: 'reply';
      readonly reply: ReplyRow;
      readonly answer: AnswerRow | undefined;
      /** Mail or WhatsApp message by which the reply came; undefined for a reply from the page. */
      readonly received: ReceivedRow | undefined;
    }
  | { readonly kind: 'note'; readonly note: NoteRow }
  | { readonly kind: 'event'; readonly event: EventRow; readonly name: string | undefined }
);

export interface ConversationRead {
  readonly words: readonly Word[];
  /** Lead of the earlier quote that this quote corrects. */
  readonly replaces: Lead | undefined;
  /** Lead of the later quote that corrects this quote. */
  readonly replacedBy: Lead | undefined;
  /** Lead of the earlier quote of which this quote is a copy. */
  readonly sameAs: Lead | undefined;
  readonly details: DetailsRow | undefined;
  /** States of the shipping documents, oldest first. */
  readonly papers: readonly PaperRow[];
  /** Attached files, also those that are still arriving. */
  readonly files: readonly FileRow[];
  /** URL that opens the quote on another phone; undefined on a page without https, where browsers cannot compute it. */
  readonly link: string | undefined;
  readonly whatsApp: WhatsAppRow | undefined;
}

const tablesOf =
  ({ quote_id }: Lead) =>
  <Row>(table: string, order: string, read: (row: unknown) => Row | undefined) =>
    rows(backend.from(table).select('*').eq('quote_id', quote_id).order(order), read);

/** Reads the rows about a lead that need no new read until the version of the lead changes. */
export async function readVersioned(lead: Lead) {
  const of = tablesOf(lead);
  const [answers, offers, replies, received, seen, events, details, ...others] = await Promise.all([
    of('quote_answers', 'created_at', readAnswerRow),
    of('quote_offers', 'state_at', readOfferRow),
    of('quote_replies', 'created_at', readReplyRow),
    of('received_messages', 'received_at', readReceivedRow),
    of('quote_seen', 'seen_at', readSeenRow),
    of('quote_events', 'id', readEventRow),
    of('quote_details', 'pressed_at', readDetailsRow),
    lead.reemplaza ? findByFolio(lead.reemplaza) : undefined,
    lead.replaced_by ? (leadById(lead.replaced_by) ?? readLead(lead.replaced_by)) : undefined,
    lead.igual ? findByFolio(lead.igual) : undefined,
  ]);
  const [replaces, replacedBy, sameAs] = others;
  return { answers, offers, replies, received, seen, events, details, replaces, replacedBy, sameAs };
}

/** Reads the rows about a lead that may change although the version of the lead stays the same. */
export async function readUnversioned(lead: Lead) {
  const of = tablesOf(lead);
  const [notes, mails, stops, papers, files, whatsApp, link] = await Promise.all([
    of('quote_notes', 'created_at', readNoteRow),
    of('desk_mails', 'sent_at', readMailRow),
    of('mail_stops', 'created_at', readMailStopRow),
    of('shipment_papers', 'pressed_at', readPaperRow),
    of('quote_files', 'created_at', readFileRow),
    of('desk_whatsapp', 'quote_id', readWhatsAppRow),
    of('quote_link_closings', 'created_at', readClosingRow).then((closings) =>
      linkCode(lead.quote_id, closings.at(-1)?.id).then(
        (code) => `${location.origin}/${LINK_ADDRESS}${code}`,
        // On a page without https, browsers have no crypto.subtle, which computes the code in the link.
        () => undefined,
      ),
    ),
  ]);
  return { notes, mails, stops, papers, files, whatsApp, link };
}

type Read<Rows extends (lead: Lead) => unknown> = Awaited<ReturnType<Rows>>;

/**
 * Joins the rows of a lead into its conversation. `team` gives the names of colleagues, because an event may contain
 * only a colleague's id.
 */
export function conversationOf(
  lead: Lead,
  { answers, offers, replies, received, seen, events, details, ...others }: Read<typeof readVersioned>,
  { notes, mails, stops, papers, files, whatsApp, link }: Read<typeof readUnversioned>,
  team: readonly ReachRow[],
): ConversationRead {
  const seenAt = new Map(seen.map(({ answer_id, seen_at }) => [answer_id, seen_at]));
  const names = new Map<string | null, string | null>(team.map(({ staff, name }) => [staff, name]));
  names.set(lead.assignee, lead.assignee_name);
  for (const { author, author_name } of [...answers, ...notes]) names.set(author, author_name);
  const words: Word[] = [
    ...answers.map(
      (answer) =>
        ({
          kind: 'answer',
          id: answer.id,
          at: answer.created_at,
          answer,
          offer: offers.find(({ answer_id }) => answer_id === answer.id),
          seenAt: seenAt.get(answer.id),
          mails: mails.filter(({ answer_id }) => answer_id === answer.id),
          isMailStopped: Boolean(stops[0] && Date.parse(stops[0].created_at) < Date.parse(answer.created_at)),
        }) as const,
    ),
    ...replies.map((reply) => {
      const answer = answers.find(({ id }) => id === reply.answer_id);
      const message = received.find(({ id }) => id === reply.id);
      return { kind: 'reply', id: reply.id, at: reply.created_at, reply, answer, received: message } as const;
    }),
    ...notes.map((note) => ({ kind: 'note', id: note.id, at: note.created_at, note }) as const),
    ...events.map((event) => {
      const name = names.get(event.actor) ?? undefined;
      return { kind: 'event', id: String(event.id), at: event.at, event, name } as const;
    }),
  ];
  const inOrder = words.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return {
    ...others,
    words: inOrder,
    details: details.at(-1),
    papers,
    files,
    link,
    whatsApp: whatsApp[0],
  };
}
