import * as z from 'zod/mini';
import { readDeliveryState, type DeliveryState } from './delivery-state.ts';
import { isRecord, timestamp, readValue, readShape, type UnknownRecord, type Valid } from './validation.ts';

const aboutAnswer = { answerId: z.string() };
const withDetails = { details: z.custom<UnknownRecord>(isRecord) };

/** Kinds of messages about a delivered quote, with the fields of each. The database stores the names of the kinds. */
const messageShapes = {
  aceptada: aboutAnswer,
  pregunta: { ...aboutAnswer, body: z.string() },
  /** Reports that the visitor has seen the answer; the phone sends it by itself. */
  vista: aboutAnswer,
  cierre: {},
  detalles: withDetails,
  archivo: withDetails,
  papel: withDetails,
  /** Withdraws consent to promotions. */
  baja: {},
  /** Stops e-mail to the customer about this quote. */
  sincorreo: {},
  /** Allows WhatsApp messages to the customer about this quote; `sinwhatsapp` stops them. */
  whatsapp: {},
  sinwhatsapp: {},
} as const;

export type MessageKind = keyof typeof messageShapes;

export type NewMessage<Kind extends MessageKind = MessageKind> = Kind extends MessageKind
  ? { readonly id: string; readonly kind: Kind } & Valid<(typeof messageShapes)[Kind]>
  : never;

export type Message<Kind extends MessageKind = MessageKind> = NewMessage<Kind> & {
  readonly createdAt: number;
  readonly state: DeliveryState;
};

export const REPLY_KINDS = ['aceptada', 'pregunta'] as const satisfies MessageKind[];

export const isReply = <Some extends { readonly kind: MessageKind }>(
  message: Some,
): message is Extract<Some, { readonly kind: (typeof REPLY_KINDS)[number] }> =>
  (REPLY_KINDS as readonly MessageKind[]).includes(message.kind);

export const messagesOfKind = <Kind extends MessageKind>(
  messages: readonly Message[],
  kind: Kind,
): readonly Message<Kind>[] =>
  messages.filter((message) => message.kind === kind) as unknown as readonly Message<Kind>[];

export const answerIdOf = (message: NewMessage): string | undefined =>
  'answerId' in message ? message.answerId : undefined;

/**
 * Reads messages from disk. An unreadable question becomes a refused one, which is shown but never sent; other
 * unreadable messages are dropped.
 */
export function readMessages(stored: unknown): readonly Message[] {
  return (Array.isArray(stored) ? stored : []).flatMap((each: unknown) => {
    if (!isRecord(each) || !readValue(z.string(), each['id'])) return [];
    const { kind, createdAt: at, state, body } = each;
    const createdAt = readValue(timestamp, at) ?? 0;
    const shape = Object.entries(messageShapes).find(([name]) => name === kind)?.[1];
    const fields = shape && readShape(shape, each);
    const message = fields
      ? { kind, ...fields, state: readDeliveryState(state, createdAt, true) }
      : {
          kind: 'pregunta',
          answerId: '',
          body: readValue(z.string(), body) ?? '',
          state: readDeliveryState(state, createdAt, false),
        };
    return fields || !shape || kind === 'pregunta' ? ({ id: each['id'], createdAt, ...message } as Message) : [];
  });
}
