import { setTimeout as wait } from 'node:timers/promises';
import { ImapFlow } from 'imapflow';
import type { Inbox } from './inbox.ts';
import { createMailIntake, MOST_BYTES } from './mail-intake.ts';
import { readNewMails, type Reading } from './new-mails.ts';

const SECOND = 1000;
/** Milliseconds until the mailbox is read again even if the server reports nothing. */
const LOOK_EVERY = 5 * 60 * SECOND;
const SHORTEST_PAUSE = SECOND;
const LONGEST_PAUSE = 5 * 60 * SECOND;

export interface MailReader {
  stop(): Promise<void>;
}

interface Dependencies extends Pick<Reading, 'database' | 'onOutcome'> {
  readonly inbox: Inbox;
  /** Minimum number of milliseconds between a lost connection and the next attempt to connect. */
  readonly pause?: number;
}

/** Makes a connection to the mailbox. A lost connection cannot be used again, so the caller then makes a new one. */
export function connectionTo({ host, port, secure, needsTls, user, pass }: Inbox, patience = 30 * SECOND): ImapFlow {
  return new ImapFlow({
    host,
    port,
    secure,
    auth: { user, pass },
    ...(needsTls && { doSTARTTLS: true }),
    // The log of the library is off, because it contains the content of mails.
    logger: false,
    connectionTimeout: patience,
    greetingTimeout: patience,
    maxLiteralSize: MOST_BYTES + 1024,
    maxResponseSize: MOST_BYTES + 1024 * 1024,
    maxLineLength: 1024 * 1024,
    maxIdleTime: LOOK_EVERY,
    autoIdleDelay: SECOND,
  });
}

/** Code of an error, without its text, which may repeat a password. */
export function codeOf(error: unknown): string {
  const { authenticationFailed, code, name } = error as {
    authenticationFailed?: boolean;
    code?: string;
    name?: string;
  };
  return authenticationFailed ? 'AUTHENTICATIONFAILED' : (code ?? name ?? 'ERROR');
}

/** Reads the mailbox of replies while the server runs: on each new mail, and after each lost connection. */
export function startMailReader({ database, inbox, onOutcome, pause = SHORTEST_PAUSE }: Dependencies): MailReader {
  const stopping = new AbortController();
  const { signal } = stopping;
  const intake = createMailIntake(database, inbox, signal);
  const box = `${inbox.user}@${inbox.host}/${inbox.mailbox}`;
  let client: ImapFlow | undefined;

  async function keepReading(): Promise<void> {
    for (let failures = 0; !signal.aborted;) {
      try {
        await readUntilLost(() => (failures = 0));
      } catch (error) {
        if (signal.aborted) return;
        if (failures === 0 || failures % 10 === 0)
          console.error(`The mailbox of replies cannot be read: ${codeOf(error)}. Trying again.`);
      }
      const delay = Math.min(LONGEST_PAUSE, pause * 2 ** failures) * (0.75 + Math.random() / 2);
      failures += 1;
      await wait(delay, undefined, { signal }).catch(() => undefined);
    }
  }

  async function readUntilLost(onRead: () => void): Promise<void> {
    const connection = connectionTo(inbox);
    client = connection;
    const lost = new Promise<void>((resolve) => connection.once('close', resolve));
    // Without this listener an error of the connection would end the process. After each error the event `close`
    // follows, which resolves `lost`.
    connection.on('error', () => undefined);
    let news = Promise.withResolvers<void>();
    connection.on('exists', () => news.resolve());
    try {
      await connection.connect();
      await connection.mailboxOpen(inbox.mailbox, { readOnly: true });
      while (connection.usable && !signal.aborted) {
        news = Promise.withResolvers();
        await readNewMails({ connection, database, box, intake, signal, onOutcome });
        onRead();
        const round = new AbortController();
        const timer = wait(LOOK_EVERY, undefined, { signal: AbortSignal.any([signal, round.signal]) });
        await Promise.race([news.promise, lost, timer.catch(() => undefined)]);
        round.abort();
      }
    } finally {
      connection.close();
    }
  }

  const work = keepReading();
  return {
    async stop() {
      stopping.abort();
      client?.close();
      await Promise.all([work, intake.end()]);
    },
  };
}
