import { setTimeout as wait } from 'node:timers/promises';
import { ImapFlow, type FetchMessageObject } from 'imapflow';
import type { Inbox } from '../alerts/settings.ts';
import type { Database } from '../database/database.ts';
import { record } from '../log.ts';
import { readProof } from './authentication-results.ts';
import { idOfSource, type IncomingMail } from './incoming-mail.ts';
import { matchMail, type Candidate } from './mail-match.ts';
import { createMailParser } from './mail-parser.ts';
import { storeReceived, type ReceivedOutcome } from './received-messages.ts';

const SECOND = 1000;
/** Milliseconds until the mailbox is read again even if the server reports nothing. */
const LOOK_EVERY = 5 * 60 * SECOND;
const SHORTEST_PAUSE = SECOND;
const LONGEST_PAUSE = 5 * 60 * SECOND;
/** Largest mail that is read whole: five files of 5 MB. Larger mails are read up to the end of the text. */
const MOST_BYTES = 35 * 1024 * 1024;
const START_BYTES = 256 * 1024;
/** Most attempts to fetch a mail whole, and then to store its content. After them, less of the mail is stored. */
const MOST_FETCHES = 8;
const MOST_ATTEMPTS = 3;
/** Age in milliseconds up to which mails are read again after the mail server has given them new numbers. */
const REREAD = 31 * 86_400 * SECOND;
/** Number of mails whose sizes are fetched in one request. */
const BATCH = 50;

export type MailOutcome = ReceivedOutcome | 'automatico' | 'rebote' | 'propio' | 'fallo';

export interface MailReader {
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: Pick<Database, 'transaction'>;
  readonly inbox: Inbox;
  readonly onOutcome?: (outcome: MailOutcome) => void;
  /** Shortest pause after a lost connection, in milliseconds. */
  readonly pause?: number;
}

interface Position {
  readonly uidValidity: string;
  readonly lastUid: number;
}

/** Makes a connection for one use: after a loss the caller makes a new connection. */
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
  const box = `${inbox.user}@${inbox.host}/${inbox.mailbox}`;
  const parser = createMailParser();
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Attempts so far for the mail that is being read. */
  let stuck = { uid: 0, fetches: 0, attempts: 0 };
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
    // Without this listener an error of the connection would end the process. The event `close` follows each error.
    connection.on('error', () => undefined);
    let news = Promise.withResolvers<void>();
    connection.on('exists', () => news.resolve());
    try {
      await connection.connect();
      await connection.mailboxOpen(inbox.mailbox, { readOnly: true });
      while (connection.usable && !signal.aborted) {
        news = Promise.withResolvers();
        await readNew(connection);
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

  async function readNew(connection: ImapFlow): Promise<void> {
    const { mailbox } = connection;
    if (!mailbox) return;
    const uidValidity = String(mailbox.uidValidity);
    const position = await readPosition();
    let uids: readonly number[];
    if (!position) {
      // Mail from before the first start is skipped, because it does not concern this server.
      return savePosition({ uidValidity, lastUid: mailbox.uidNext - 1 });
    } else if (position.uidValidity === uidValidity) {
      const found = await connection.search({ uid: `${position.lastUid + 1}:*` }, { uid: true });
      // A range to * always contains the last mail, even one that was already read.
      uids = (found || []).filter((uid) => uid > position.lastUid);
    } else {
      uids = (await connection.search({ since: new Date(Date.now() - REREAD) }, { uid: true })) || [];
    }
    const inOrder = [...uids].toSorted((one, other) => one - other);
    for (let at = 0; at < inOrder.length; at += BATCH) {
      const batch = inOrder.slice(at, at + BATCH);
      const found = await connection.fetchAll(
        batch.join(),
        { uid: true, size: true, internalDate: true, envelope: true },
        { uid: true },
      );
      const known = await knownIds(found.flatMap(({ envelope }) => envelope?.messageId ?? []));
      let lastUid = 0;
      try {
        for (const uid of batch) {
          if (signal.aborted) return;
          const mail = found.find((each) => each.uid === uid);
          const id = mail?.envelope?.messageId;
          if (id && known.has(id)) onOutcome?.('repetido');
          else if (mail) await readOne(connection, mail);
          lastUid = uid;
        }
      } finally {
        // After a crash the mails of a batch are read again, and recognized by their ids.
        if (lastUid > 0) await savePosition({ uidValidity, lastUid });
      }
    }
    if (inOrder.length === 0 && position.uidValidity !== uidValidity)
      await savePosition({ uidValidity, lastUid: mailbox.uidNext - 1 });
  }

  async function readOne(connection: ImapFlow, found: FetchMessageObject): Promise<void> {
    const began = performance.now();
    const outcome = await storeMail(connection, found);
    onOutcome?.(outcome);
    record('mail', { uid: found.uid, outcome, ms: Math.round(performance.now() - began) });
  }

  /**
   * Stores a mail. If it fails again and again, only sender, subject and time are stored for the team, so that the mail does
   * not block later ones.
   */
  async function storeMail(connection: ImapFlow, found: FetchMessageObject): Promise<MailOutcome> {
    const { uid, size = 0, internalDate, envelope } = found;
    if (stuck.uid !== uid) stuck = { uid, fetches: 0, attempts: 0 };
    stuck.fetches += 1;
    const isPartial = size > MOST_BYTES || stuck.fetches > MOST_FETCHES;
    const fetched = await connection.fetchOne(
      String(uid),
      { source: isPartial ? { start: 0, maxLength: START_BYTES } : true },
      { uid: true },
    );
    // The mail was deleted after its number was read.
    if (!fetched || !fetched.source) return 'fallo';
    stuck.fetches = 0;
    stuck.attempts += 1;
    const receivedAt = new Date(internalDate ?? Date.now());
    const mail = await parser.parse(fetched.source, isPartial);
    // When the server stops, the parser ends without a result. The mail may be good, so it must not count as broken.
    if (!mail) signal.throwIfAborted();
    try {
      if (mail) return await storeParsed(mail, receivedAt);
    } catch (error) {
      if (stuck.attempts < MOST_ATTEMPTS) throw error;
    }
    const [from] = envelope?.from ?? [];
    const { outcome } = await storeReceived(database, {
      channel: 'correo',
      externalId: mail?.id ?? idOfSource(fetched.source),
      sender: shortened(from?.address),
      senderName: from?.name,
      body: envelope?.subject ?? '',
      receivedAt,
      files: [{ name: 'correo', content: null }],
    });
    return outcome;
  }

  async function storeParsed(mail: IncomingMail, receivedAt: Date): Promise<MailOutcome> {
    const [sender = '', ...others] = mail.from;
    if (mail.kind === 'bounce') {
      const { ids = [], status = '' } = mail.bounced ?? {};
      await database.transaction(
        ids.map((id) => ({
          sql: 'select private.bounce_mail($1, $2)',
          parameters: [id, `the mail came back: ${status}`],
        })),
      );
      return 'rebote';
    }
    if (mail.kind === 'automatic') return 'automatico';
    if (sender === inbox.own) return 'propio';
    const candidates = await database.transaction<Candidate>(
      [{ sql: 'select * from private.mail_candidates($1, $2, $3)', parameters: [mail.tags, mail.ids, mail.folios] }],
      { access: 'read' },
    );
    const domain = sender.slice(sender.lastIndexOf('@') + 1);
    const proof = readProof(mail.authenticationResults, inbox.authserv, domain);
    // A mail with several senders has no certain sender, so it is matched without one.
    const { quote, suggested, answer } = matchMail(others.length > 0 ? '' : sender, proof, candidates);
    const { outcome } = await storeReceived(database, {
      channel: 'correo',
      externalId: mail.id,
      sender: shortened(sender),
      senderName: mail.name,
      body: mail.body,
      whole: mail.whole,
      receivedAt,
      quote,
      suggested,
      answer,
      unproven: proof === 'fail',
      files: mail.files,
    });
    return outcome;
  }

  /** Returns the ids of mails that are stored already, so that a renumbered mailbox is not fetched again. */
  async function knownIds(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const sql = `select id from unnest($1::text[]) as id
      where sha256(convert_to('correo ' || id, 'UTF8')) in (select r.id from private.received_ids as r)`;
    const rows = await database.transaction<{ id: string }>([{ sql, parameters: [ids] }], { access: 'read' });
    return new Set(rows.map(({ id }) => id));
  }

  async function readPosition(): Promise<Position | undefined> {
    const sql =
      'select uid_validity::text as "uidValidity", last_uid::integer as "lastUid" from private.mailboxes where name = $1';
    const [position] = await database.transaction<Position>([{ sql, parameters: [box] }], { access: 'read' });
    return position;
  }

  async function savePosition({ uidValidity, lastUid }: Position): Promise<void> {
    const sql = `insert into private.mailboxes (name, uid_validity, last_uid) values ($1, $2, $3)
      on conflict (name) do update set uid_validity = excluded.uid_validity, last_uid = excluded.last_uid, read_at = now()`;
    await database.transaction([{ sql, parameters: [box, uidValidity, lastUid] }]);
  }

  const work = keepReading();
  return {
    async stop() {
      stopping.abort();
      client?.close();
      await Promise.all([work, parser.end()]);
    },
  };
}

const shortened = (address = '') => address.slice(0, 320) || 'desconocido';
