import type { Outbox } from '../../src/outbox/outbox.ts';
import type { createOutbox } from '../../src/outbox/outbox.ts';
import type { Outcome } from '../../src/outbox/state.ts';

type Means = Parameters<typeof createOutbox>[0];

/** Something done wrong on purpose, by whatever the shipped code depends on. `means` and `outbox` are asked once for each page and worker. */
export interface Fault {
  readonly name: string;
  readonly means?: (means: Means) => Partial<Means>;
  readonly outbox?: (outbox: Outbox) => Partial<Outbox>;
  /** The browser gives its lock to everybody at once. */
  readonly sharesLock?: boolean;
  /** The phone's disk keeps in memory what it was to write at once. */
  readonly ignoresStrict?: boolean;
  /** Two requests with one id are stored as two. */
  readonly storesTwice?: boolean;
  readonly answersBeforeSync?: boolean;
}

export const NO_FAULT: Fault = { name: 'none' };

/** Each try of a quote ends as `change` says. `count`: how often this page has tried it. */
const ending = (name: string, change: (outcome: Outcome, count: number) => Outcome): Fault => ({
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

const DELIVERED: Outcome = { kind: 'delivered', at: 0 };
const refusedAs = (outcome: Outcome, kind: string) => outcome.kind === 'refused' && outcome.refusal.kind === kind;
const otherId = (id: string) => `e${id.slice(1)}`;

/** Each is found within sixty worlds: `npm run world -- --faults`. */
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
      // Every other look at the clock says that the lease of another page is over.
      let ahead = 31_000;
      return { now: () => now() + (ahead = 31_000 - ahead) };
    },
  },
  {
    name: 'a disk that is waited for without end',
    means: ({ transact }) => ({
      transact: (...about) =>
        transact(...about).catch((error: Error) =>
          error.message.includes('in time') ? new Promise<never>(() => {}) : Promise.reject(error),
        ),
    }),
  },
  { name: 'a restored server is not asked', outbox: () => ({ sendAgain: async () => undefined }) },
  {
    name: 'two tabs with one draft',
    outbox: (outbox) => ({ add: (quote, about) => outbox.add(quote, { ...about, corrects: true }) }),
  },
  {
    name: 'answers to somebody else',
    outbox: (outbox) => ({
      keepAnswers: (answers) =>
        outbox.keepAnswers(new Map([...answers.keys()].map((id) => [id, [...answers.values()].flat()]))),
    }),
  },
  {
    name: 'told before it arrived',
    outbox: (outbox) => ({
      claim: async (ids) => ids,
      watch: (listener) =>
        outbox.watch((entries) =>
          listener(
            entries.map((entry) => ({ ...entry, state: { kind: 'delivered', at: 0, told: false, counted: true } })),
          ),
        ),
    }),
  },
  { name: 'no lock', sharesLock: true },
  { name: 'a receipt before the disk', ignoresStrict: true },
  { name: 'the server stores twice', storesTwice: true },
  { name: 'an answer before the sync', answersBeforeSync: true },
];

/** The faults that `npm run world -- --few` looks for. */
export const QUICK = [
  'a retry forgets the id',
  'no lock',
  'an answer before the sync',
  'an acceptance arrives as a question',
];
