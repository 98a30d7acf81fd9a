import type { Outbox } from '../../src/outbox/outbox.ts';
import type { createOutbox } from '../../src/outbox/outbox.ts';
import type { SendOutcome } from '../../src/outbox/state.ts';

type Means = Parameters<typeof createOutbox>[0];

/** Deliberate fault that the simulation must detect. `means` and `outbox` replace parts of each page and worker. */
export interface Fault {
  readonly name: string;
  readonly means?: (means: Means) => Partial<Means>;
  readonly outbox?: (outbox: Outbox) => Partial<Outbox>;
  /** True if the browser gives the lock to several pages at once. */
  readonly sharesLock?: boolean;
  /** True if the phone’s disk does not make strict writes durable at once. */
  readonly ignoresStrict?: boolean;
  /** True if the server stores two requests with one id twice. */
  readonly storesTwice?: boolean;
  readonly answersBeforeSync?: boolean;
}

export const NO_FAULT: Fault = { name: 'none' };

/** Returns a fault that changes the outcome of each attempt. `count` counts the page’s attempts for the quote. */
const ending = (name: string, change: (outcome: SendOutcome, count: number) => SendOutcome): Fault => ({
  name,
  means({ send }) {
    const counts = new Map<string, number>();
    return {
      async send(quote, ...about) {
        const count = (counts.get(quote.id) ?? 0) + 1;
        counts.set(quote.id, count);
        return change(await send(quote, ...about), count);
      },
    };
  },
});

const DELIVERED: SendOutcome = { kind: 'delivered', at: 0 };
const refusedAs = (outcome: SendOutcome, kind: string) => outcome.kind === 'refused' && outcome.refusal.kind === kind;
const otherId = (id: string) => `e${id.slice(1)}`;

/** Faults that the simulation must each detect within 60 simulated weeks: `npm run world -- --faults`. */
export const FAULTS: readonly Fault[] = [
  ending('no answer is called delivered', (outcome) => (outcome.kind === 'unreachable' ? DELIVERED : outcome)),
  ending('a late correction is called delivered', (outcome) =>
    refusedAs(outcome, 'superseded') ? DELIVERED : outcome,
  ),
  ending('it gives up', (outcome, count) =>
    outcome.kind === 'unreachable' && count > 2
      ? { kind: 'refused', refusal: { kind: 'rejected', code: '', message: '' } }
      : outcome,
  ),
  {
    name: 'a retry forgets the id',
    means({ send }) {
      const tried = new Set<string>();
      return {
        send(quote, ...about) {
          const isRetry = tried.has(quote.id);
          tried.add(quote.id);
          return send(isRetry ? { ...quote, id: otherId(quote.id) } : quote, ...about);
        },
      };
    },
  },
  {
    name: 'two lanes send one',
    means: ({ send }) => ({ send: (...given) => Promise.all([send(...given), send(...given)]).then(([one]) => one) }),
  },
  {
    name: 'an acceptance arrives as a question',
    means: ({ sendMessage }) => ({
      sendMessage: (message, ...about) =>
        sendMessage(message.kind === 'aceptada' ? { ...message, kind: 'pregunta', body: '¿?' } : message, ...about),
    }),
  },
  {
    name: 'an acceptance comes back without its facts',
    means: ({ sendMessage }) => ({
      sendMessage: (row, ...about) => sendMessage(row.facts === undefined ? row : { ...row, facts: '' }, ...about),
    }),
  },
  {
    name: 'a lease that is not heeded',
    means({ now }) {
      // Every second reading of the clock is 31 s ahead, so another page’s note that locks sending looks expired.
      let ahead = 31_000;
      return { now: () => now() + (ahead = 31_000 - ahead) };
    },
  },
  { name: 'a restored server is not asked', outbox: () => ({ sendAgain: async () => undefined }) },
  {
    name: 'two tabs with one draft',
    outbox: (outbox) => ({ add: (quote, about) => outbox.add(quote, { ...about, corrects: true }) }),
  },
  {
    name: 'answers to somebody else',
    outbox: (outbox) => ({
      storeAnswers: (answers) =>
        outbox.storeAnswers(new Map([...answers.keys()].map((id) => [id, [...answers.values()].flat()]))),
    }),
  },
  {
    name: 'told before it arrived',
    outbox: (outbox) => ({
      claim: async (ids) => ids,
      watch: (listener) =>
        outbox.watch((entries) =>
          listener(
            entries.map((entry) => ({
              ...entry,
              state: { kind: 'delivered', at: 0, announced: false, counted: true },
            })),
          ),
        ),
    }),
  },
  { name: 'no lock', sharesLock: true },
  { name: 'a receipt before the disk', ignoresStrict: true },
  { name: 'the server stores twice', storesTwice: true },
  { name: 'an answer before the sync', answersBeforeSync: true },
];

/** Faults that `npm run world -- --few` tests. */
export const QUICK = [
  'a retry forgets the id',
  'no lock',
  'an answer before the sync',
  'an acceptance arrives as a question',
];
