import { noticeVersion } from '../config.ts';
import type { Answer } from '../lead/answer.ts';
import type { Message, MessageKind, NewMessage } from '../lead/messages.ts';

/** Maximum length of `facts` (below), in characters. The database allows 2000 characters in a reply. */
const LONGEST_FACTS = 1900;

/** Message to send. `facts`: the accepted offer as text, in case the server has lost that offer. */
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
    | 'shipment_papers'
    | 'promotion_withdrawals'
    | 'mail_stops'
    | 'whatsapp_choices';
  readonly key?: 'answer_id';
  /**
   * Returns the columns of the row, except the ids. `isResend`: true if the server has lost the message, which is
   * therefore sent again.
   */
  readonly columns?: (message: Outgoing<Kind>, isResend: boolean) => object;
}

const choiceOf = (wanted: boolean) => ({
  table: 'whatsapp_choices' as const,
  columns: () => ({ wanted, aviso: noticeVersion }),
});

/**
 * Table and columns for each kind of message. Files have no row here, because they are sent in parts (file-sender.ts).
 */
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
  papel: { table: 'shipment_papers', columns: (message) => ({ ...message.details, ...secondsSincePress(message) }) },
  baja: { table: 'promotion_withdrawals' },
  sincorreo: { table: 'mail_stops' },
  whatsapp: choiceOf(true),
  sinwhatsapp: choiceOf(false),
};

const replyColumns = ({ kind, answerId, fromLink }: Outgoing<'aceptada' | 'pregunta'>) => ({
  kind,
  answer_id: answerId,
  enlace: fromLink,
});

/**
 * Seconds since the visitor pressed the button. The server subtracts them from the time of its own clock, because the
 * phone's clock may be wrong.
 */
const secondsSincePress = ({ pressedAt }: Outgoing) => ({
  hace: Math.max(0, Math.round((Date.now() - pressedAt) / 1000)),
});

/**
 * True if the entry already has this message. Each answer is accepted once and reported as seen once, and a file is
 * sent again only if it was refused.
 */
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
