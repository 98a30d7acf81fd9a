import { SMTPServer } from 'smtp-server';
import { onTestFinished } from 'vitest';

/** Takes mail without a password, or refuses addresses with this in them, and accepts a mail after so many milliseconds. */
export async function openMailServer(refuse?: number, whom = '', after = 0) {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
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
  // A sender that is killed leaves its mails in the middle.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { mails, url: `smtp://127.0.0.1:${port}`, close };
}

/** One of the test's own, gone when it ends. */
export async function mailServer(...asked: Parameters<typeof openMailServer>) {
  const server = await openMailServer(...asked);
  onTestFinished(server.close);
  return server;
}
