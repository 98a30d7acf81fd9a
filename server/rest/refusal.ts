/** Refusal of a request, in the form of PostgREST. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: string | null;
  readonly hint: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    about: { details?: string | null; hint?: string | null; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = about.details ?? null;
    this.hint = about.hint ?? null;
    this.headers = about.headers ?? {};
  }

  get body(): string {
    return JSON.stringify({ code: this.code, details: this.details, hint: this.hint, message: this.message });
  }
}

export function asResponse({ status, code, body, headers }: Refusal): Response {
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'proxy-status': `PostgREST; error=${code}`,
      ...headers,
    },
  });
}

/** Statuses by SQLSTATE, as in PostgREST. The first match applies, and the default is 400. */
const STATUS_BY_SQLSTATE: readonly (readonly [RegExp, number])[] = [
  [/^53400/, 500],
  [/^(08|53|57|58)/, 503],
  [/^(23503|23505)/, 409],
  [/^25006/, 405],
  [/^(0L|0P|28)/, 403],
  [/^(09|25|2D|38|39|3B|40|54|55|F0|HV|XX|42P17)/, 500],
  [/^P0001/, 400],
  [/^P0/, 500],
  [/^(42883|42P01)/, 404],
];

interface DatabaseError extends Error {
  readonly code: string;
  readonly detail?: string;
  readonly hint?: string;
}

/** Answer to a failed request. The error itself must not be logged, because PGlite's errors contain visitors' data. */
export function refusalFor(error: unknown, role: string): Refusal {
  if (error instanceof Refusal) return error;
  if (!isDatabaseError(error)) return new Refusal(500, 'XX000', 'The server could not do this');
  if (error.code === 'PGRST') return raisedRefusal(error);
  const status = statusOf(error.code, role);
  return new Refusal(status, error.code, error.message, {
    details: error.detail ?? null,
    hint: error.hint ?? null,
    headers: HEADERS_OF_STATUS[status] ?? {},
  });
}

const HEADERS_OF_STATUS: Readonly<Record<number, Record<string, string>>> = {
  401: { 'www-authenticate': 'Bearer' },
  503: { 'retry-after': '10' },
};

export function isDatabaseError(error: unknown): error is DatabaseError {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^([0-9A-Z]{5}|PT\d{3})$/.test(error.code)
  );
}

function statusOf(code: string, role: string): number {
  if (/^PT[45]\d\d$/.test(code)) return Number(code.slice(2));
  if (code === '42501') return role === 'anon' ? 401 : 403;
  return STATUS_BY_SQLSTATE.find(([pattern]) => pattern.test(code))?.[1] ?? 400;
}

/**
 * Refusal that SQL raised with `raise sqlstate 'PGRST'`: MESSAGE is the body, DETAIL has status and headers.
 */
function raisedRefusal(error: DatabaseError): Refusal {
  try {
    const body = JSON.parse(error.message) as { code: string; message: string; details?: string; hint?: string };
    const answer = JSON.parse(error.detail ?? '') as { status: number; headers?: Record<string, string> };
    if (!(answer.status >= 400 && answer.status < 600)) throw new RangeError('not the status of a refusal');
    return new Refusal(answer.status, body.code, body.message, {
      details: body.details ?? null,
      hint: body.hint ?? null,
      headers: answer.headers ?? {},
    });
  } catch {
    return new Refusal(500, 'PGRST121', 'Could not parse JSON in the "RAISE SQLSTATE \'PGRST\'" error');
  }
}
