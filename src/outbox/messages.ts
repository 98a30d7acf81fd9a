import type { Answer } from '../lead/answer.ts';
import type { Message, MessageKind, NewMessage } from '../lead/messages.ts';

/** The column of a reply takes 2000 characters. */
const LONGEST_FACTS = 1900;

/** Message on the way to the server, with facts that no server knows. */
export type Outgoing<Kind extends MessageKind = MessageKind> = NewMessage<Kind> & {
  readonly quoteId: string;
  readonly pressedAt: number;
  /** Said on a phone that had opened a link. */
  readonly fromLink?: true | undefined;
  /** Accepted offer in words, for a server that has lost the answer. */
  readonly facts?: string | undefined;
};

/** Table and row for one kind of message. */
export interface Route<Kind extends MessageKind> {
  readonly table: 'quote_replies' | 'quote_seen' | 'quote_link_closings' | 'quote_details' | 'promotion_withdrawals';
  /** Column by which a repeat is known, if it is not the id of the message. */
  readonly key?: 'answer_id';
  /** Columns beside the ids of message and quote. `again`: for a server that has lost it. */
  readonly columns?: (message: Outgoing<Kind>, again: boolean) => object;
}

/** Files go in parts, by loadFileSender. */
export const ROUTES: { readonly [Kind in Exclude<MessageKind, 'archivo'>]: Route<Kind> } = {
  aceptada: {
    table: 'quote_replies',
    columns: (message, again) => ({
      ...wordOf(message),
      ...since(message),
      ...(again && { body: message.facts }),
    }),
  },
  pregunta: { table: 'quote_replies', columns: (message) => ({ ...wordOf(message), body: message.body }) },
  vista: { table: 'quote_seen', key: 'answer_id', columns: ({ answerId }) => ({ answer_id: answerId }) },
  cierre: { table: 'quote_link_closings' },
  detalles: { table: 'quote_details', columns: (message) => ({ ...message.details, ...since(message) }) },
  baja: { table: 'promotion_withdrawals' },
};

const wordOf = ({ kind, answerId, fromLink }: Outgoing<'aceptada' | 'pregunta'>) => ({
  kind,
  answer_id: answerId,
  enlace: fromLink,
});

/** Seconds since a press: the server's clock says when that was, whatever the phone's says. */
const since = ({ pressedAt }: Outgoing) => ({ hace: Math.max(0, Math.round((Date.now() - pressedAt) / 1000)) });

/** An answer is accepted once and seen once, a file is sent once unless it was refused; of all else there may be many. */
export function repeats(messages: readonly Message[], message: NewMessage): boolean {
  return messages.some((other) =>
    message.kind === 'archivo'
      ? other.id === message.id && other.state.kind !== 'refused'
      : (message.kind === 'aceptada' || message.kind === 'vista') &&
        other.kind === message.kind &&
        other.answerId === message.answerId,
  );
}

/** Accepted offer in words: price, weight, last day, and the beginning of its text. */
export function factsOf({ body, price, kilos, validUntil }: Answer): string {
  const facts = [price && `${price.amount} ${price.currency} / ${price.per}`, kilos && `${kilos} kg`, validUntil]
    .filter(Boolean)
    .join(' · ');
  return [facts, body].filter(Boolean).join('\n').slice(0, LONGEST_FACTS).trim();
}
