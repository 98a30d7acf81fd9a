/** Refusal in the format of Supabase Auth. auth-js reacts to the code. */
export class AuthRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly more: object;
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    { retryAfter, ...more }: { retryAfter?: number; weak_password?: object } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.more = more;
    this.retryAfter = retryAfter;
  }
}

/**
 * Refusal for a wrong password and for an unknown e-mail. Both get the same refusal, so that nobody learns which
 * accounts exist.
 */
export function wrongCredentials(): AuthRefusal {
  return new AuthRefusal(400, 'invalid_credentials', 'Invalid login credentials');
}

export function tooManyTries(seconds: number): AuthRefusal {
  return new AuthRefusal(429, 'over_request_rate_limit', 'Request rate limit reached', { retryAfter: seconds });
}

/** Refusal because of overload. auth-js treats it like a lost connection: it tries again and keeps the session. */
export function busy(why = 'The server is overloaded'): AuthRefusal {
  return new AuthRefusal(503, 'unexpected_failure', why, { retryAfter: 5 });
}

export function asAuthResponse({ status, code, message, more, retryAfter }: AuthRefusal): Response {
  return Response.json(
    { code: status, error_code: code, msg: message, ...more },
    {
      status,
      headers: {
        'cache-control': 'no-store',
        'proxy-status': `Auth; error=${code}`,
        ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      },
    },
  );
}
