import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/**
 * Opens a mail server that answers a mail after `after` milliseconds, and recipients that contain `whom` with the
 * status `refuse`. It needs no password. If a client sends one, the error repeats the password, so that tests can
 * search logs for it.
 */
export async function openMailServer(refuse?: number, whom = '', after = 0) {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) => done(new Error(`${password} is wrong`)),
    onRcptTo: ({ address }, _session, done) =>
      done(refuse && address.includes(whom) ? Object.assign(new Error('No'), { responseCode: refuse }) : null),
    onData(stream, _session, done) {
      let text = '';
      stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
      stream.on('end', () => {
        mails.push(text);
        setTimeout(done, after);
      });
    },
  });
  // A killed server may close the connection in the middle of a mail.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { mails, url: `smtp://127.0.0.1:${port}`, close };
}

/** Opens a mail server that is closed at the end of the test. */
export async function mailServer(...parameters: Parameters<typeof openMailServer>) {
  const server = await openMailServer(...parameters);
  onTestFinished(server.close);
  return server;
}
