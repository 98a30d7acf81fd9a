import { readDetails, type Details } from '../lead/details.ts';
import { messagesOfKind } from '../lead/messages.ts';
import type { Entry } from '../outbox/entry.ts';

/**
 * Returns the current shipment details: this phone's while they wait to be sent, otherwise the newest on the server.
 */
export function currentDetails(messages: Entry['messages'], server: Details | null | undefined): Details {
  const sent = messagesOfKind(messages, 'detalles');
  const own = readDetails(sent.findLast(({ state }) => state.kind !== 'refused')?.details);
  return sent.at(-1)?.state.kind === 'waiting' ? own : (server ?? own);
}
