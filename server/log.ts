/** How the log is written: lines for people, or one JSON object in each line. */
export const LOG_FORMATS = ['lines', 'json'] as const;
type LogFormat = (typeof LOG_FORMATS)[number];

let format: LogFormat = 'lines';

/** Whoever read the log may be gone: to report that would be a line more for nobody, and again an error. */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** From now on, in this thread. Whatever is said with console.log and console.error is written so too. */
export function writeLogAs(wanted: LogFormat): void {
  format = wanted;
  if (wanted === 'lines') return;
  console.log = (...said: unknown[]) => write(process.stdout, 'info', { message: said.map(String).join(' ') });
  console.error = (...said: unknown[]) => write(process.stderr, 'error', { message: said.map(String).join(' ') });
  // Node's own, which would be no JSON.
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => write(process.stderr, 'warning', { message: `${name}: ${message}` }));
}

let requests = 0;
/** Id of a request in its line of the log, and of the answer of the backend. */
export const nextRequestId = () => `${process.pid.toString(36)}-${(++requests).toString(36)}`;

type Fields = Readonly<Record<string, string | number | undefined>>;

/** What happened, with names where the log is JSON; what is not known is left out. */
export function record(what: 'request' | 'alert', { ms, ...fields }: Fields): void {
  if (format === 'json') return write(process.stdout, 'info', { what, ...fields, ...(ms !== undefined && { ms }) });
  const words = [what === 'alert' && what, ...Object.values(fields), ms !== undefined && `${ms} ms`];
  console.log(words.filter((word) => word !== false && word !== undefined && word !== '').join(' '));
}

function write(stream: NodeJS.WriteStream, level: string, fields: object): void {
  stream.write(`${JSON.stringify({ time: new Date().toISOString(), level, ...fields })}\n`);
}
