import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { check_spec_with_cfg, explore_eval, initSync } from 'tla-checker';
import { beforeAll, expect, test } from 'vitest';
import type { DeliveryState, WaitingState } from '../../src/lead/delivery-state.ts';
import { newWaitingState } from '../../src/outbox/new-entry.ts';
import { resendState, settle, type SendOutcome } from '../../src/outbox/state.ts';

const SPEC = readFileSync('docs/model/quote.tla', 'utf8');
const CONFIGURATION = readFileSync('docs/model/quote.cfg', 'utf8');
const MOST_STATES = 1_000_000;
const LONGEST_WAY = 1000;

beforeAll(() => {
  const file = createRequire(import.meta.url).resolve('tla-checker/tla_checker_bg.wasm');
  initSync({ module: readFileSync(file) });
});

function check(spec: string): object {
  return JSON.parse(check_spec_with_cfg(spec, CONFIGURATION, '{}', MOST_STATES, LONGEST_WAY, true, false)) as object;
}

test('the TLA+ model loses no quote and announces none too early, whatever the order of events', () => {
  expect(check(SPEC)).toMatchObject({ success: true, states_explored: 2622, warnings: [] });
});

const AGAIN = '[] outcome = "unreachable" -> IF state \\in Again THEN "again unreachable" ELSE "waiting unreachable"';
const WAITS = '/\\ phone \\in Waiting';

test.each([
  ['an answer before the sync', 'asked = "in" /\\ disk', 'asked = "in"', 'InvariantViolation'],
  ['a try that gives up', AGAIN, '[] outcome = "unreachable" -> "refused"', 'LivenessViolation'],
  ['an interrupted request that delivers', AGAIN, '[] outcome = "unreachable" -> "delivered"', 'InvariantViolation'],
  ['a phone that asks nothing of a restored server', ' /\\ WF_vars(Compare)', '', 'LivenessViolation'],
  ['a sender that ignores the lock', `/\\ holder = "nobody" ${WAITS}`, WAITS, 'LivenessViolation'],
])('the check of the TLA+ model detects this mistake: %s', (_what, find, replace, error_type) => {
  expect(SPEC.split(find)).toHaveLength(2);
  expect(check(SPEC.replace(find, () => replace))).toMatchObject({ success: false, error_type });
});

/** Outcomes of a send in the code, by their names in the model. */
const OUTCOMES: Readonly<Record<string, SendOutcome>> = {
  delivered: { kind: 'delivered', at: 5 },
  known: { kind: 'refused', refusal: { kind: 'known' } },
  reference: { kind: 'refused', refusal: { kind: 'rejected', code: '23503', message: '' } },
  unreachable: { kind: 'unreachable' },
  'retry-after': { kind: 'unreachable', retryAfter: 9000 },
  'access-denied': { kind: 'access-denied' },
  'quote-lost': { kind: 'quote-lost' },
};

/** Returns the model’s name for the state of a quote or a reply. */
function nameOf(state: DeliveryState): string {
  if (state.kind === 'refused') return 'refused';
  if (state.kind === 'waiting') return `${state.deliveredAt === undefined ? 'waiting' : 'again'} ${state.trouble}`;
  if (state.resentAt !== undefined) return 'resent';
  // If the server erased a delivered quote, `settle` gives the state delivered and announced: "returned" in the model.
  return state.announced ? 'returned' : 'delivered';
}

/** Returns the steps of the code: for each waiting state and outcome, the state after `settle`. */
function shippedSteps(): ReadonlyMap<string, string> {
  const steps = new Map<string, string>();
  const resent = resendState({ kind: 'delivered', at: 3, announced: true, counted: true }, 10);
  const left: WaitingState[] = [newWaitingState(10), resent];
  const seen = new Set<string>();
  for (let state = left.shift(); state; state = left.shift()) {
    if (seen.has(nameOf(state))) continue;
    seen.add(nameOf(state));
    for (const [name, outcome] of Object.entries(OUTCOMES)) {
      const after = settle(state, outcome, 20, 0.5);
      steps.set(`${nameOf(state)}, ${name}`, nameOf(after));
      if (after.kind === 'waiting') left.push(after);
    }
  }
  return steps;
}

/** Returns the steps of the model: for each waiting state and outcome, the state after `Settled`. */
function modelledSteps(): ReadonlyMap<string, string> {
  const evaluate = (expression: string): unknown =>
    (JSON.parse(explore_eval(SPEC, CONFIGURATION, '{}', '{}', expression)) as { readonly json: unknown }).json;
  const places = evaluate('Waiting \\union Again') as readonly string[];
  const outcomes = evaluate('Outcomes') as readonly string[];
  return new Map(
    places.flatMap((place) =>
      outcomes.map((outcome) => [`${place}, ${outcome}`, String(evaluate(`Settled("${place}", "${outcome}")`))]),
    ),
  );
}

test('every attempt to send has the same result in the TLA+ model as in the code', () => {
  const sorted = (steps: ReadonlyMap<string, string>) => [...steps].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const shipped = sorted(shippedSteps());
  expect(shipped.length).toBe(56);
  expect(sorted(modelledSteps())).toEqual(shipped);
});
