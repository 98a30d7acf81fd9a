import { randomUUID } from 'node:crypto';
import type { ReceivedBy } from '../../src/lead/vocabulary.ts';
import type { Database } from '../database/database.ts';

/** Message that a customer sent by mail or WhatsApp. */
export interface ReceivedMessage {
  readonly channel: ReceivedBy;
  /** Id that the provider gave the message, at most 1,000 characters. A message with a known id is not stored again. */
  readonly externalId: string;
  /** E-mail or number of the sender. */
  readonly sender: string;
  readonly senderName?: string | undefined;
  /** Text without quoted parts. The database shortens it to the maximum length of a customer's reply. */
  readonly body: string;
  /** Whole text of the message, if `body` is only a part of it. */
  readonly whole?: string | undefined;
  /** Time when the message arrived at the provider. */
  readonly receivedAt: Date;
  /** Quote to which the message certainly belongs, according to its content and its sender. */
  readonly quote?: string | undefined;
  /** Quote that the message may be about. A colleague has to confirm it. */
  readonly suggested?: string | undefined;
  /** Id of our answer to which the message replies. */
  readonly answer?: string | undefined;
  readonly unproven?: boolean;
  readonly files?: readonly ReceivedFile[];
}

interface ReceivedFile {
  readonly name: string;
  /** Null for a file that the channel refused, for example because of its size. */
  readonly content: Uint8Array | null;
}

/** 'repetido': stored earlier. 'demasiados': not stored, because too many came from this sender within an hour. */
export type ReceivedOutcome = 'asignado' | 'pendiente' | 'repetido' | 'demasiados';

/**
 * Stores a message with its files, as a question about its quote. Without a quote, a colleague has to assign the
 * message.
 */
export async function storeReceived(
  database: Pick<Database, 'transaction'>,
  message: ReceivedMessage,
): Promise<{ readonly message: string | null; readonly outcome: ReceivedOutcome }> {
  const { channel, externalId, sender, senderName, body, whole, receivedAt } = message;
  const { quote, suggested, answer, unproven = false, files = [] } = message;
  const texts = [channel, externalId, sender, senderName, body, whole].map((text) => text && storable(text));
  const attached = files.map(({ name, content }) => ({
    nombre: storable(name),
    base64: content && Buffer.from(content).toString('base64'),
  }));
  const [result] = await database.transaction<{ message: string | null; outcome: ReceivedOutcome }>([
    {
      sql: 'select * from public.receive_message($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)',
      parameters: [randomUUID(), ...texts, receivedAt, quote, suggested, answer, unproven, JSON.stringify(attached)],
    },
  ]);
  return result!;
}

/** Removes NUL characters and replaces half surrogate pairs, which PostgreSQL refuses in texts or in JSON. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed();
