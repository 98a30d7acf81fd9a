export const LOG_FORMATS = ['lines', 'json'] as const;
type LogFormat = (typeof LOG_FORMATS)[number];

let format: LogFormat = 'lines';

/** Ignores errors of stdout and stderr, because the program that reads the log may end before the server. */
export function ignoreLogErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

export function setLogFormat(chosen: LogFormat): void {
  format = chosen;
  if (chosen === 'lines') return;
  console.log = (...words: unknown[]) => write(process.stdout, 'info', { message: words.map(String).join(' ') });
  console.error = (...words: unknown[]) => write(process.stderr, 'error', { message: words.map(String).join(' ') });
  // Node's own listener is removed, because it would print each warning a second time, as plain text.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => write(process.stderr, 'warning', { message: `${name}: ${message}` }));
}

let requests = 0;
/** Id of a request, in the log and in the header x-request-id. */
export const nextRequestId = () => `${process.pid.toString(36)}-${(++requests).toString(36)}`;

type Fields = Readonly<Record<string, string | number | undefined>>;

export function record(what: 'request' | 'alert' | 'mail' | 'webhook', { ms, ...fields }: Fields): void {
  if (format === 'json') return write(process.stdout, 'info', { what, ...fields, ...(ms !== undefined && { ms }) });
  const words = [what !== 'request' && what, ...Object.values(fields), ms !== undefined && `${ms} ms`];
  console.log(words.filter((word) => word !== false && word !== undefined && word !== '').join(' '));
}

function write(stream: NodeJS.WriteStream, level: string, fields: object): void {
  stream.write(`${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`);
}
