/**
 * Consequence of WhatsApp's error code for a message. `template`: send the approved template instead. `again`: retry
 * later. `final`: never send it again. `rest`: send no messages until the team has solved the problem.
 */
type Consequence = 'template' | 'again' | 'final' | 'rest';

interface ErrorGroup {
  readonly codes: readonly number[];
  readonly act: Consequence;
  /** Milliseconds until the next attempt; if absent, the usual back-off of alerts is used. */
  readonly after?: (attempts: number) => number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const REST = 15 * MINUTE;
const rest = { act: 'rest', after: () => REST } as const;

const permissions = Array.from({ length: 100 }, (_, at) => 200 + at);

/**
 * Error codes of WhatsApp's Cloud API, grouped by what to do:
 * https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
 */
export const ERROR_GROUPS = {
  window: { codes: [131047], act: 'template' },
  unreachable: { codes: [131026], act: 'final' },
  throughput: { codes: [130429], act: 'again' },
  // WhatsApp allows one message in six seconds to the same user.
  pace: { codes: [131056], act: 'again', after: (attempts) => Math.min(4 ** attempts * SECOND, 60 * MINUTE) },
  spam: { codes: [131048], ...rest },
  held: { codes: [131049, 130472], act: 'final' },
  refused: { codes: [131050, 130403], act: 'final' },
  media: { codes: [131051, 131052, 131053], act: 'final' },
  payment: { codes: [131042], ...rest },
  number: { codes: [131045, 133010], ...rest },
  locked: { codes: [131031, 368], ...rest },
  temporary: { codes: [131000, 131016, 131057, 1, 2], act: 'again' },
  limit: { codes: [4, 80007], act: 'again', after: () => 5 * MINUTE },
  token: { codes: [190, 0], ...rest },
  permission: { codes: [3, 10, ...permissions, 131005], ...rest },
  request: { codes: [100, 131008, 131009, 132000, 132012], act: 'final' },
  testNumber: { codes: [131030], act: 'final' },
  hidden: { codes: [131062], act: 'final' },
  templates: { codes: [132001, 132005, 132007, 132015, 132016], act: 'final' },
  // All codes that are not listed above.
  other: { codes: [], act: 'final' },
} as const satisfies Readonly<Record<string, ErrorGroup>>;

export type ErrorGroupName = keyof typeof ERROR_GROUPS;

export function errorGroupOf(code: number): ErrorGroupName {
  const groups = Object.entries(ERROR_GROUPS) as [ErrorGroupName, ErrorGroup][];
  return groups.find(([, { codes }]) => codes.includes(code))?.[0] ?? 'other';
}

export const consequenceOf = (code: number): ErrorGroup => ERROR_GROUPS[errorGroupOf(code)];
