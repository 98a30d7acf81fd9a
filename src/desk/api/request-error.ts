/** Failed request: the server could not be reached, or it refused. */
export class RequestError extends Error {
  readonly kind: 'unreachable' | 'refused';
  readonly code: string;
  /** Code of the database rule that refused the request. */
  readonly hint: string;

  constructor(kind: RequestError['kind'], code: string, message: string, hint = '') {
    super(message);
    this.kind = kind;
    this.code = code;
    this.hint = hint;
  }
}
