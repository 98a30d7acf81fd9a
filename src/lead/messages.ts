import * as z from 'zod/mini';
import { readState, type State } from './kept-state.ts';
import { isRecord, moment, part, readShape, type Loose, type Of } from './shape.ts';

const ofAnswer = { answerId: z.string() };
const inColumns = { details: z.custom<Loose>(isRecord) };

/** Parts of each kind of message about a delivered quote. The words are those of the database. */
const parts = {
  aceptada: ofAnswer,
  pregunta: { ...ofAnswer, body: z.string() },
  /** Said by the phone itself, once its owner has seen the answer. */
  vista: ofAnswer,
  /** Closes the link of the quote. */
  cierre: {},
  /** Shipment details, as columns. */
  detalles: inColumns,
  /** Facts of a picture or a paper, as columns. */
  archivo: inColumns,
  /** Withdraws consent to promotions. */
  baja: {},
} as const;

export type MessageKind = keyof typeof parts;

/** A message of one kind before it is kept. */
export type NewMessage<Kind extends MessageKind = MessageKind> = Kind extends MessageKind
  ? { readonly id: string; readonly kind: Kind } & Of<(typeof parts)[Kind]>
  : never;

/** A message of the sender of a quote: it goes the way that quotes go. */
export type Message<Kind extends MessageKind = MessageKind> = NewMessage<Kind> & {
  readonly createdAt: number;
  readonly state: State;
};

/** Kinds that the sales team reads as words of the conversation. */
export const WORD_KINDS = ['aceptada', 'pregunta'] as const satisfies MessageKind[];

export const isWord = <Some extends { readonly kind: MessageKind }>(
  message: Some,
): message is Extract<Some, { readonly kind: (typeof WORD_KINDS)[number] }> =>
  (WORD_KINDS as readonly MessageKind[]).includes(message.kind);

/** Messages of one kind. */
export const ofKind = <Kind extends MessageKind>(messages: readonly Message[], kind: Kind): readonly Message<Kind>[] =>
  messages.filter((message) => message.kind === kind) as unknown as readonly Message<Kind>[];

/** Answer that a message speaks of. */
export const answerOf = (message: NewMessage): string | undefined =>
  'answerId' in message ? message.answerId : undefined;

/**
 * Messages on disk. A word that cannot be understood is shown as a refused question, never sent by guess; another message
 * without its parts says nothing.
 */
export function readMessages(kept: unknown): readonly Message[] {
  return (Array.isArray(kept) ? kept : []).flatMap((each: unknown) => {
    if (!isRecord(each) || !part(z.string(), each['id'])) return [];
    const { kind, createdAt: at, state, body } = each;
    const createdAt = part(moment, at) ?? 0;
    const shape = Object.entries(parts).find(([name]) => name === kind)?.[1];
    const said = shape && readShape(shape, each);
    const message = said
      ? { kind, ...said, state: readState(state, createdAt, true) }
      : {
          kind: 'pregunta',
          answerId: '',
          body: part(z.string(), body) ?? '',
          state: readState(state, createdAt, false),
        };
    return said || !shape || kind === 'pregunta' ? ({ id: each['id'], createdAt, ...message } as Message) : [];
  });
}
