import type { Patch } from './code.ts';
import type { ServerFaults } from './server.ts';

/** Something done wrong on purpose: in the text of the product as it is built for the world, or in its server. */
export interface Fault {
  readonly name: string;
  readonly patches?: readonly Patch[];
  readonly server?: ServerFaults;
}

const inFile = (file: string, name: string, find: string, replace: string): Fault => ({
  name,
  patches: [{ file, find, replace }],
});
const drain = inFile.bind(undefined, 'src/outbox/drain.ts');
const delivery = inFile.bind(undefined, 'src/outbox/delivery.ts');
const lock = inFile.bind(undefined, 'src/outbox/one-at-a-time.ts');
const entry = inFile.bind(undefined, 'src/outbox/entry.ts');
const outbox = inFile.bind(undefined, 'src/outbox/outbox.ts');
const state = inFile.bind(undefined, 'src/outbox/state.ts');

/** Each is found within a minute: `npm run world -- --faults`. */
export const FAULTS: readonly Fault[] = [
  delivery(
    'no on_conflict',
    '.upsert(row as never, { onConflict: key, ignoreDuplicates: true })',
    '.insert(row as never)',
  ),
  delivery(
    'delivered before 201',
    "if (!error) return unreachable(response);\n  if (error.code === '23505') {",
    "if (!error) return response ? stored(undefined, response) : unreachable(response);\n  if (error.code === '23505') {",
  ),
  lock(
    'no lock',
    'return await navigator.locks.request(NAME, { signal: AbortSignal.timeout(PATIENCE) }, work);',
    'return await work();',
  ),
  lock(
    'an expired lease taken twice',
    'const { settings, lease } = await note();\n    const time = now();',
    'const { lease } = await note();\n    await new Promise((resolve) => setTimeout(resolve, 5));\n    const { settings } = await note();\n    const time = now();',
  ),
  lock(
    'a lease that nobody heeds',
    'if (lease && lease.until > time && lease.until <= time + PATIENCE) return false;',
    '',
  ),
  drain(
    'a retry forgets the id',
    'send(quote, taken.replaced, deliveredAt)',
    'send(state.attempts > 0 ? { ...quote, id: crypto.randomUUID() } : quote, taken.replaced, deliveredAt)',
  ),
  drain('two lanes send one', 'tried.add(parcel.id);', ''),
  drain(
    'an arrival is not noted',
    'const after = settle(state, outcome, now(), chance());',
    "const after = outcome.kind === 'delivered' ? { ...state, sendingUntil: 0, nextTry: now() + 3_600_000, trouble: 'told-to-wait' as const } : settle(state, outcome, now(), chance());",
  ),
  entry(
    'acceptance without its offer',
    'answer_id: answerId,',
    "answer_id: kind === 'aceptada' ? (null as never) : answerId,",
  ),
  entry(
    'acceptance of another offer',
    'answer_id: answerId,',
    "answer_id: kind === 'aceptada' ? (answers[0]?.id ?? answerId) : answerId,",
  ),
  {
    name: 'sync after the answer',
    patches: [
      {
        file: 'server/database/group-commit.ts',
        find: 'if (writes) group.push({ by: keeper(), tell, fail: reject });\n        else tell();',
        replace: 'tell();\n        if (writes) group.push({ by: keeper(), tell, fail: reject });',
      },
    ],
  },
  delivery(
    'a correction that comes too late is called delivered',
    "if (row && !sameQuote(row, quote)) return { kind: 'refused', refusal: { kind: 'superseded' } };",
    '',
  ),
  delivery(
    'a repeat is called delivered',
    "return { kind: 'refused', refusal: { kind: 'known' } };",
    'return stored(undefined, response!);',
  ),
  delivery(
    'an acceptance comes back without its facts',
    'const body = deliveredAt === undefined ? row.body : (facts ?? row.body);',
    'const { body } = row;\n  void facts;',
  ),
  {
    name: 'a restored server is not asked',
    patches: [
      {
        file: 'src/outbox/hear-answers.ts',
        find: 'return entries.length === 0 || performance.now() - comparedAt <= DAY || compare();',
        replace: 'void compare;\n  void comparedAt;\n  void DAY;\n  return true;',
      },
    ],
  },
  {
    name: 'a receipt before the disk',
    patches: [
      {
        file: 'src/outbox/kept-entries.ts',
        find: "const durability = how === 'strict' ? how : 'default';",
        replace: "const durability = 'default';",
      },
    ],
  },
  {
    name: 'a row that cannot be read ends the flush',
    patches: [
      {
        file: 'src/outbox/drain.ts',
        find: 'ends.push(...(await Promise.allSettled(lanes)));',
        replace: 'await Promise.all(lanes);',
      },
      {
        file: 'src/outbox/delivery.ts',
        find: 'const rows = Array.isArray(data) ? data : undefined;',
        replace: 'const rows = data;',
      },
    ],
  },
  outbox('two tabs with one draft', "if (present && !corrects) return { result: 'taken' };", ''),
  outbox('one press kept twice', "if (isSame && present.state.kind !== 'refused') return { result: present };", ''),
  outbox('answers to somebody else', '(answers.get(entry.id) ?? []).flatMap(', '[...answers.values()].flat().flatMap('),
  state(
    'it gives up',
    "case 'unreachable':\n      return outcome.retryAfter",
    "case 'unreachable':\n      if (attempts > 3) return { kind: 'refused', at: now, refusal: { kind: 'rejected', code: '', message: '' } };\n      return outcome.retryAfter",
  ),
  {
    name: 'told before it arrived',
    patches: [
      {
        file: 'src/outbox/outbox.ts',
        find: "kept.isHeld(id) || state.kind !== 'delivered' || state[what]) return [];",
        replace: 'kept.isHeld(id)) return [];',
      },
      {
        file: 'src/phone/keep-sending.ts',
        find: "state.kind === 'delivered' && !state[what] ? id : []",
        replace: "state.kind !== 'delivered' || !state[what] ? id : []",
      },
    ],
  },
  {
    name: 'an alert that failed once is over',
    patches: [
      {
        file: 'server/alerts/send-due.ts',
        find: "if (outcome.kind !== 'again') return",
        replace: 'if (message.attempts > 0) return',
      },
    ],
  },
  { name: 'the server stores twice', server: { storesTwice: true } },
  { name: 'what is blocked is shown', server: { showsBlocked: true } },
  { name: 'what was erased comes back', server: { forgetsErased: true } },
  { name: 'nobody is told at zero', server: { calmsClock: true } },
];

/**
 * What the world found in the product, put back. It takes thousands of phone-weeks to meet one of them again, so they
 * are looked for with `-- --seldom`; each has a unit test.
 */
export const SELDOM: readonly Fault[] = [
  {
    name: 'what a robbed page hears late is written all the same',
    patches: [
      { file: 'src/outbox/entry.ts', find: "thing.state.kind === 'waiting' &&", replace: '' },
      {
        file: 'src/outbox/entry.ts',
        find: "(state.kind !== 'waiting' || thing.state.sendingUntil === sendingUntil)",
        replace: '(void sendingUntil, true)',
      },
    ],
  },
  entry('what was said stays behind its lost quote', 'unknown.has(id) || unknown.has(entry.id)', 'unknown.has(id)'),
  delivery(
    'what was not read back is called delivered',
    'if (!rows && (!error?.code || status > 428)) return unreachable();',
    '',
  ),
  outbox(
    'a correction takes the answers with it',
    'if (present && wasDelivered(present.state)) {',
    "void wasDelivered;\n  if (present?.state.kind === 'delivered') {",
  ),
];

/** A few that are looked for with each `npm test`, so that it is known that the world can fail. */
export const QUICK = ['a retry forgets the id', 'no lock', 'sync after the answer', 'acceptance of another offer'];
