import { readDetailsRow, type DetailsRow } from '../lead/details.ts';
import { useEffect, useReducer, useState } from 'react';
import { LINK_ADDRESS } from '../agreements.ts';
import { linkCode } from '../lead/quote-link.ts';
import {
  readAnswerRow,
  readClosingRow,
  readEventRow,
  readFileRow,
  readNoteRow,
  readOfferRow,
  readReplyRow,
  readSeenRow,
  type AnswerRow,
  type EventRow,
  type FileRow,
  type NoteRow,
  type OfferRow,
  type ReplyRow,
} from '../lead/rows.ts';
import { backend, rows, Trouble } from './backend.ts';
import type { Lead } from './lead.ts';
import { seekFolio, leadById, readLead } from './leads.ts';
import { reach } from './presence.ts';

/** One thing that was said or done, in its place in time. */
export type Word = { readonly id: string; readonly at: string } & (
  | {
      readonly kind: 'answer';
      readonly answer: AnswerRow;
      readonly offer: OfferRow | undefined;
      readonly seenAt: string | undefined;
    }
  | { readonly kind: 'reply'; readonly reply: ReplyRow; readonly answer: AnswerRow | undefined }
  | { readonly kind: 'note'; readonly note: NoteRow }
  | { readonly kind: 'event'; readonly event: EventRow; readonly name: string | undefined }
);

interface Conversation {
  readonly words: readonly Word[];
  /** The quote that this one corrects, and the one that corrects it. */
  readonly replaces: Lead | undefined;
  readonly replacedBy: Lead | undefined;
  /** The quote that this one is a copy of. */
  readonly sameAs: Lead | undefined;
  /** What is shipped, as it was said last. */
  readonly details: DetailsRow | undefined;
  /** Pictures and papers, whole or on their way. */
  readonly files: readonly FileRow[];
  /** Address that opens the quote on another phone; undefined if the browser computes no code. */
  readonly link: string | undefined;
}

/** Notes change no version of their quote. */
const NOTES_EVERY = 12_000;

export type Reading = Conversation | 'reading' | 'unread';

/** The words to a quote, read again when it changed, and now and then for what colleagues noted. */
export function useConversation(lead: Lead, isWanted: boolean): [conversation: Reading, again: () => void] {
  const { quote_id, version } = lead;
  const [reading, setReading] = useState<Reading>('reading');
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    readConversation(lead).then(
      (read) => !isOver && setReading(read),
      (error: unknown) => {
        if (!(error instanceof Trouble)) throw error;
        if (!isOver) setReading((before) => (before === 'reading' ? 'unread' : before));
      },
    );
    const timer = setTimeout(again, NOTES_EVERY);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `version` says whether `lead` has changed, and `turn` asks again
  }, [quote_id, version, turn, isWanted]);
  return [reading, again];
}

async function readConversation(lead: Lead): Promise<Conversation> {
  const of = <Row>(table: string, order: string, read: (row: unknown) => Row | undefined) =>
    rows(backend.from(table).select('*').eq('quote_id', lead.quote_id).order(order), read);
  const [answers, offers, replies, seen, notes, events, link, details, files, replaces, replacedBy, sameAs] =
    await Promise.all([
      of('quote_answers', 'created_at', readAnswerRow),
      of('quote_offers', 'state_at', readOfferRow),
      of('quote_replies', 'created_at', readReplyRow),
      of('quote_seen', 'seen_at', readSeenRow),
      of('quote_notes', 'created_at', readNoteRow),
      of('quote_events', 'id', readEventRow),
      of('quote_link_closings', 'created_at', readClosingRow).then((closings) =>
        linkCode(lead.quote_id, closings.at(-1)?.id).then(
          (code) => `${location.origin}/${LINK_ADDRESS}${code}`,
          // At an address without https a browser computes none.
          () => undefined,
        ),
      ),
      of('quote_details', 'pressed_at', readDetailsRow),
      of('quote_files', 'created_at', readFileRow),
      lead.reemplaza ? seekFolio(lead.reemplaza) : undefined,
      lead.replaced_by ? (leadById(lead.replaced_by) ?? readLead(lead.replaced_by)) : undefined,
      lead.igual ? seekFolio(lead.igual) : undefined,
    ]);
  const seenAt = new Map(seen.map(({ answer_id, seen_at }) => [answer_id, seen_at]));
  const names = new Map<string | null, string | null>((reach.read() ?? []).map(({ staff, name }) => [staff, name]));
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
        }) as const,
    ),
    ...replies.map((reply) => {
      const answer = answers.find(({ id }) => id === reply.answer_id);
      return { kind: 'reply', id: reply.id, at: reply.created_at, reply, answer } as const;
    }),
    ...notes.map((note) => ({ kind: 'note', id: note.id, at: note.created_at, note }) as const),
    ...events.map((event) => {
      const name = names.get(event.actor) ?? undefined;
      return { kind: 'event', id: String(event.id), at: event.at, event, name } as const;
    }),
  ];
  const inOrder = words.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return { words: inOrder, replaces, replacedBy, sameAs, details: details.at(-1), files, link };
}
