import * as z from 'zod/mini';
import { readState, type State } from './kept-state.ts';
import { isRecord, moment, part, readShape, type Loose, type Of } from './shape.ts';

const ofAnswer = { answerId: z.string() };
const inColumns = { details: z.custom<Loose>(isRecord) };

/** Content of each kind of message about a delivered quote. The kinds are words of the database. */
const parts = {
  aceptada: ofAnswer,
  pregunta: { ...ofAnswer, body: z.string() },
  /** Sent by the phone itself, once its owner has seen the answer. */
  vista: ofAnswer,
  cierre: {},
  detalles: inColumns,
  archivo: inColumns,
  /** Withdraws consent to promotions. */
  baja: {},
  /** Stops mail about the quote. */
  sincorreo: {},
} as const;

export type MessageKind = keyof typeof parts;

export type NewMessage<Kind extends MessageKind = MessageKind> = Kind extends MessageKind
  ? { readonly id: string; readonly kind: Kind } & Of<(typeof parts)[Kind]>
  : never;

export type Message<Kind extends MessageKind = MessageKind> = NewMessage<Kind> & {
  readonly createdAt: number;
  readonly state: State;
};

export const WORD_KINDS = ['aceptada', 'pregunta'] as const satisfies MessageKind[];

export const isWord = <Some extends { readonly kind: MessageKind }>(
  message: Some,
): message is Extract<Some, { readonly kind: (typeof WORD_KINDS)[number] }> =>
  (WORD_KINDS as readonly MessageKind[]).includes(message.kind);

export const ofKind = <Kind extends MessageKind>(messages: readonly Message[], kind: Kind): readonly Message<Kind>[] =>
  messages.filter((message) => message.kind === kind) as unknown as readonly Message<Kind>[];

export const answerOf = (message: NewMessage): string | undefined =>
  'answerId' in message ? message.answerId : undefined;

/**
 * Reads messages from disk. An unreadable word becomes a refused question and is never sent; other unreadable messages
 * are dropped.
 */
export function readMessages(stored: unknown): readonly Message[] {
  return (Array.isArray(stored) ? stored : []).flatMap((each: unknown) => {
    if (!isRecord(each) || !part(z.string(), each['id'])) return [];
    const { kind, createdAt: at, state, body } = each;
    const createdAt = part(moment, at) ?? 0;
    const shape = Object.entries(parts).find(([name]) => name === kind)?.[1];
    const fields = shape && readShape(shape, each);
    const message = fields
      ? { kind, ...fields, state: readState(state, createdAt, true) }
      : {
          kind: 'pregunta',
          answerId: '',
          body: part(z.string(), body) ?? '',
          state: readState(state, createdAt, false),
        };
    return fields || !shape || kind === 'pregunta' ? ({ id: each['id'], createdAt, ...message } as Message) : [];
  });
}
