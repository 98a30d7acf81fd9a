import { Refusal } from './refusal.ts';

/** The shape that a client prefers for its answer (https://docs.postgrest.org/en/stable/references/api/preferences.html). */
export interface Preferences {
  readonly representation: boolean;
  readonly counted: boolean;
  /** One object instead of a list; anything but exactly one row is then refused. */
  readonly single: boolean;
  readonly duplicates: 'refuse' | 'ignore' | 'merge';
}

const SINGLE = 'application/vnd.pgrst.object+json';

export function readPreferences(request: Request): Preferences {
  const profile = request.headers.get('content-profile') ?? request.headers.get('accept-profile') ?? 'public';
  if (profile !== 'public') {
    throw new Refusal(406, 'PGRST106', `Invalid schema: ${profile}`, {
      hint: 'Only the following schemas are exposed: public',
    });
  }
  const prefer = new Map(
    (request.headers.get('prefer') ?? '')
      .split(',')
      .map((part) => part.trim().split('=') as [string, string | undefined]),
  );
  const resolution = prefer.get('resolution');
  return {
    representation: isReading(request) || prefer.get('return') === 'representation',
    // A planner's estimate would tell visitors how many rows they may not see, so every count is exact.
    counted: prefer.has('count'),
    single: (request.headers.get('accept') ?? '').includes(SINGLE),
    duplicates: resolution === 'ignore-duplicates' ? 'ignore' : resolution === 'merge-duplicates' ? 'merge' : 'refuse',
  };
}

export function isReading(request: Request): boolean {
  return request.method === 'GET' || request.method === 'HEAD';
}

export interface Answer {
  readonly body: string;
  readonly rows: number;
  readonly total: number | null;
}

export function answerAsPreferred(
  request: Request,
  answer: Answer,
  preferences: Preferences,
  offset: number,
): Response {
  const withBody = preferences.representation && request.method !== 'HEAD';
  const type = preferences.single ? SINGLE : 'application/json';
  const body = preferences.single ? answer.body.slice(1, -1) : answer.body;
  return new Response(withBody ? body : null, {
    status: statusOf(request.method, answer, preferences, offset),
    headers: {
      ...(preferences.representation ? { 'content-type': `${type}; charset=utf-8` } : {}),
      'content-range': contentRange(request.method, answer, preferences, offset),
      'cache-control': 'no-store',
    },
  });
}

function statusOf(method: string, { rows, total }: Answer, preferences: Preferences, offset: number): number {
  if (method === 'POST') return 201;
  if (method === 'PATCH' || method === 'DELETE') return preferences.representation ? 200 : 204;
  if (total === null || (rows === total && offset === 0)) return 200;
  if (offset > total) {
    throw new Refusal(416, 'PGRST103', 'Requested range not satisfiable', {
      details: `An offset of ${offset} was requested, but there are only ${total} rows.`,
      headers: { 'content-range': `*/${total}` },
    });
  }
  return rows < total ? 206 : 200;
}

function contentRange(method: string, { rows, total }: Answer, preferences: Preferences, offset: number): string {
  if (method === 'POST' || method === 'DELETE') return `*/${preferences.counted ? rows : '*'}`;
  const known = method === 'PATCH' ? (preferences.counted ? rows : null) : total;
  return `${rows > 0 ? `${offset}-${offset + rows - 1}` : '*'}/${known ?? '*'}`;
}
