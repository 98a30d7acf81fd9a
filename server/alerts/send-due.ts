import type { AlertWay } from '../../src/lead/vocabulary.ts';
import { reportError } from '../report-error.ts';
import type { Messengers, AlertMessage, Outcome } from './message.ts';

export interface AlertStore {
  /**
   * Claims the due messages: for two minutes no other call gets them. Records the time of the call, which the desk
   * reads to show that alerts work.
   */
  claim(at: Date, ways: readonly AlertWay[]): Promise<readonly AlertMessage[]>;
  settle(message: string, at: Date, outcome: Outcome, againAt: Date | null): Promise<void>;
}

export interface SendDueOptions {
  readonly store: AlertStore;
  readonly messengers: Messengers;
  readonly now?: () => number;
  readonly onOutcome?: (message: AlertMessage, outcome: Outcome) => void;
}

const MINUTE = 60_000;
/**
 * Maximum number of attempts to send a message. The pauses between them (1, 2, 4, 8, 16 and 32 minutes) last about an
 * hour, after which the team gets its next reminder anyway.
 */
const MOST_ATTEMPTS = 7;

/** Sends all due messages at the same time, and records their outcomes. Resolves with the number of messages. */
export async function sendDue({ store, messengers, now = Date.now, onOutcome }: SendDueOptions): Promise<number> {
  const messages = await store.claim(new Date(now()), Object.keys(messengers) as AlertWay[]);
  await Promise.all(
    messages.map(async (message) => {
      const tried = await (messengers[message.way] ?? noMessenger)(message, now()).catch(failedMessenger);
      const isLast = tried.kind === 'again' && message.attempts >= MOST_ATTEMPTS;
      const outcome: Outcome = isLast ? { ...tried, kind: 'failed' } : tried;
      onOutcome?.(message, outcome);
      const at = new Date(now());
      if (outcome.kind !== 'again' && outcome.kind !== 'rest')
        return store.settle(message.message_id, at, outcome, null);
      return store.settle(message.message_id, at, outcome, retryTime(outcome, message.attempts, at.getTime()));
    }),
  );
  return messages.length;
}

/** Returns the time of the next attempt: after the given pause, or after a pause that doubles with each attempt. */
export function retryTime({ after }: { readonly after?: number }, attempts: number, now: number): Date {
  return new Date(now + (after ?? MINUTE * 2 ** (attempts - 1) * (0.75 + Math.random() / 2)));
}

/** Outcome of an alert whose messenger threw an error, which is a fault of this server. */
function failedMessenger(error: unknown): Outcome {
  reportError(error, 'sending an alert');
  return { kind: 'again', why: error instanceof Error ? error.name : 'unknown error' };
}

async function noMessenger(): Promise<Outcome> {
  return { kind: 'failed', why: 'no longer set up' };
}
