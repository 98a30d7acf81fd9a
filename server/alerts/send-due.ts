import type { AlertWay } from '../../src/lead/vocabulary.ts';
import type { Channels, Message, Outcome } from './message.ts';

/** The tables of alerts, wherever the database is. */
export interface AlertStore {
  /** Claims the messages to be sent now; they are the caller's for two minutes. That it was asked is noted. */
  claim(at: Date, ways: readonly AlertWay[]): Promise<readonly Message[]>;
  settle(message: string, at: Date, outcome: Outcome, againAt: Date | null): Promise<void>;
}

export interface Means {
  readonly store: AlertStore;
  readonly channels: Channels;
  readonly now?: () => number;
  readonly heard?: (message: Message, outcome: Outcome) => void;
}

const MINUTE = 60_000;
/** 1, 2, 4, 8, 16 and 32 minutes apart: after an hour the next reminder says more. */
const MOST_ATTEMPTS = 7;

/** Sends what is due, all of it at once, and notes how each ended. Resolves with how many there were. */
export async function sendDue({ store, channels, now = Date.now, heard }: Means): Promise<number> {
  const messages = await store.claim(new Date(now()), Object.keys(channels) as AlertWay[]);
  await Promise.all(
    messages.map(async (message) => {
      const outcome = await (channels[message.way] ?? noChannel)(message, now());
      heard?.(message, outcome);
      const at = new Date(now());
      if (outcome.kind !== 'again') return store.settle(message.message_id, at, outcome, null);
      if (message.attempts >= MOST_ATTEMPTS)
        return store.settle(message.message_id, at, { ...outcome, kind: 'failed' }, null);
      const wait = outcome.after ?? MINUTE * 2 ** (message.attempts - 1) * (0.75 + Math.random() / 2);
      return store.settle(message.message_id, at, outcome, new Date(at.getTime() + wait));
    }),
  );
  return messages.length;
}

/** The settings of a channel were removed after the alert was written. */
async function noChannel(): Promise<Outcome> {
  return { kind: 'failed', why: 'no longer set up' };
}
