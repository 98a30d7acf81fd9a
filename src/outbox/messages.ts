import type { Answer } from '../lead/answer.ts';
import type { Message, MessageKind, NewMessage } from '../lead/messages.ts';

/** Longest list of facts: the column of a reply takes 2000 characters. */
const LONGEST_FACTS = 1900;

/** Message to send, with facts for a server that lost its context. */
export type Outgoing<Kind extends MessageKind = MessageKind> = NewMessage<Kind> & {
  readonly quoteId: string;
  readonly pressedAt: number;
  readonly fromLink?: true | undefined;
  readonly facts?: string | undefined;
};

export interface MessageRoute<Kind extends MessageKind> {
  readonly table:
    | 'quote_replies'
    | 'quote_seen'
    | 'quote_link_closings'
    | 'quote_details'
    | 'promotion_withdrawals'
    | 'mail_stops';
  readonly key?: 'answer_id';
  /** Columns besides the ids. `isResend`: the server has lost the message. */
  readonly columns?: (message: Outgoing<Kind>, isResend: boolean) => object;
}

/** Routes of all kinds except files, which go in parts (loadFileSender). */
export const ROUTES: { readonly [Kind in Exclude<MessageKind, 'archivo'>]: MessageRoute<Kind> } = {
  aceptada: {
    table: 'quote_replies',
    columns: (message, isResend) => ({
      ...replyColumns(message),
      ...secondsSincePress(message),
      ...(isResend && { body: message.facts }),
    }),
  },
  pregunta: { table: 'quote_replies', columns: (message) => ({ ...replyColumns(message), body: message.body }) },
  vista: { table: 'quote_seen', key: 'answer_id', columns: ({ answerId }) => ({ answer_id: answerId }) },
  cierre: { table: 'quote_link_closings' },
  detalles: { table: 'quote_details', columns: (message) => ({ ...message.details, ...secondsSincePress(message) }) },
  baja: { table: 'promotion_withdrawals' },
  sincorreo: { table: 'mail_stops' },
};

const replyColumns = ({ kind, answerId, fromLink }: Outgoing<'aceptada' | 'pregunta'>) => ({
  kind,
  answer_id: answerId,
  enlace: fromLink,
});

/** Seconds since the press: the server subtracts them from its own clock, because the phone's may be wrong. */
const secondsSincePress = ({ pressedAt }: Outgoing) => ({
  hace: Math.max(0, Math.round((Date.now() - pressedAt) / 1000)),
});

/** Finds a repeat: an answer is accepted once and seen once, and a file is sent once unless it was refused. */
export function isRepeat(messages: readonly Message[], message: NewMessage): boolean {
  return messages.some((other) =>
    message.kind === 'archivo'
      ? other.id === message.id && other.state.kind !== 'refused'
      : (message.kind === 'aceptada' || message.kind === 'vista') &&
        other.kind === message.kind &&
        other.answerId === message.answerId,
  );
}

export function factsOf({ body, price, kilos, validUntil }: Answer): string {
  const facts = [price && `${price.amount} ${price.currency} / ${price.per}`, kilos && `${kilos} kg`, validUntil]
    .filter(Boolean)
    .join(' · ');
  return [facts, body].filter(Boolean).join('\n').slice(0, LONGEST_FACTS).trim();
}
