import { useEffect, useState } from 'react';
import { backend, rows, Trouble } from './backend.ts';
import type { Lead } from './lead.ts';
import { seekFolio, leadById, readLead } from './leads.ts';

export interface Answer {
  readonly id: string;
  readonly created_at: string;
  readonly body: string;
  readonly price: number | null;
  readonly price_for: 'kilo' | 'total' | null;
  readonly currency: 'MXN' | 'USD' | 'CNY' | null;
  readonly valid_until: string | null;
  readonly author: string | null;
  readonly author_name: string | null;
}

interface Reply {
  readonly id: string;
  readonly created_at: string;
  readonly kind: 'aceptada' | 'pregunta';
  readonly body: string;
  /** As in a lead. */
  readonly entregada?: string | null;
}

interface Note {
  readonly id: string;
  readonly created_at: string;
  readonly body: string;
  readonly author: string;
  readonly author_name: string | null;
}

export interface Event {
  readonly id: number;
  readonly at: string;
  readonly code: string;
  readonly actor: string | null;
}

/** One thing that was said or done, in its place in time. */
export type Word =
  | { readonly kind: 'answer'; readonly at: string; readonly answer: Answer; readonly seenAt: string | undefined }
  | { readonly kind: 'reply'; readonly at: string; readonly reply: Reply }
  | { readonly kind: 'note'; readonly at: string; readonly note: Note }
  | { readonly kind: 'event'; readonly at: string; readonly event: Event; readonly name: string | undefined };

interface Conversation {
  readonly words: readonly Word[];
  /** The quote that this one corrects, and the one that corrects it. */
  readonly replaces: Lead | undefined;
  readonly replacedBy: Lead | undefined;
}

/** Notes change no version of their quote. */
const NOTES_EVERY = 12_000;

export type Reading = Conversation | 'reading' | 'unread';

/** What was said to a quote, read again when it changed, and now and then for what colleagues noted. */
export function useConversation(lead: Lead): [conversation: Reading, again: () => void] {
  const { quote_id, version } = lead;
  const [reading, setReading] = useState<Reading>('reading');
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let isOver = false;
    readConversation(lead).then(
      (read) => !isOver && setReading(read),
      (error: unknown) => {
        if (!(error instanceof Trouble)) throw error;
        if (!isOver) setReading((before) => (before === 'reading' ? 'unread' : before));
      },
    );
    const timer = setTimeout(() => setTurn(turn + 1), NOTES_EVERY);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `version` says whether `lead` has changed, and `turn` asks again
  }, [quote_id, version, turn]);
  return [reading, () => setTurn(turn + 1)];
}

async function readConversation(lead: Lead): Promise<Conversation> {
  const of = <Row>(table: string, order: string) =>
    rows<Row>(backend.from(table).select('*').eq('quote_id', lead.quote_id).order(order));
  const [answers, replies, seen, notes, events, replaces, replacedBy] = await Promise.all([
    of<Answer>('quote_answers', 'created_at'),
    of<Reply>('quote_replies', 'created_at'),
    of<{ answer_id: string; seen_at: string }>('quote_seen', 'seen_at'),
    of<Note>('quote_notes', 'created_at'),
    of<Event>('quote_events', 'id'),
    lead.reemplaza ? seekFolio(lead.reemplaza) : undefined,
    lead.replaced_by ? (leadById(lead.replaced_by) ?? readLead(lead.replaced_by)) : undefined,
  ]);
  const seenAt = new Map(seen.map(({ answer_id, seen_at }) => [answer_id, seen_at]));
  const names = new Map([[lead.assignee, lead.assignee_name]]);
  for (const { author, author_name } of [...answers, ...notes]) names.set(author, author_name);
  const words: Word[] = [
    ...answers.map(
      (answer) => ({ kind: 'answer', at: answer.created_at, answer, seenAt: seenAt.get(answer.id) }) as const,
    ),
    ...replies.map((reply) => ({ kind: 'reply', at: reply.created_at, reply }) as const),
    ...notes.map((note) => ({ kind: 'note', at: note.created_at, note }) as const),
    ...events.map(
      (event) => ({ kind: 'event', at: event.at, event, name: names.get(event.actor) ?? undefined }) as const,
    ),
  ];
  const inOrder = words.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return { words: inOrder, replaces, replacedBy };
}
