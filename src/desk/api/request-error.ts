/** Failed request: the server could not be reached, or it refused. */
export class RequestError extends Error {
  readonly kind: 'unreachable' | 'refused';
  readonly code: string;

  constructor(kind: RequestError['kind'], code: string, message: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}
