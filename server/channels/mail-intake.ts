import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { Inbox } from './inbox.ts';
import type { Database } from '../database/database.ts';
import { readProof } from './authentication-results.ts';
import { idOfSource, type IncomingMail } from './incoming-mail.ts';
import { matchMail, type Candidate } from './mail-match.ts';
import { createMailParser } from './mail-parser.ts';
import { storeReceived, type ReceivedOutcome } from './received-messages.ts';

/**
 * Maximum number of bytes of a mail that is read whole. Five files of 5 MB fit, which base64 makes a third larger. A
 * larger mail is read only up to the end of its text.
 */
export const MOST_BYTES = 35 * 1024 * 1024;
const START_BYTES = 256 * 1024;
/** Number of attempts to fetch a whole mail. If they all fail, only its start is fetched. */
const MOST_FETCHES = 8;
/** Number of attempts to store the content of a mail. If they all fail, only its sender, subject and time are stored. */
const MOST_ATTEMPTS = 3;

export type MailOutcome = ReceivedOutcome | 'automatico' | 'rebote' | 'propio' | 'fallo';
export type MailIntake = ReturnType<typeof createMailIntake>;
type Store = Pick<Database, 'transaction'>;

/** Fetches, parses and stores mails, one at a time. */
export function createMailIntake(database: Store, inbox: Inbox, signal: AbortSignal) {
  const parser = createMailParser();
  /** Attempts so far for the mail that is being read. */
  let stuck = { uid: 0, fetches: 0, attempts: 0 };

  /** Stores a mail, or at least sender, subject and time: an unstored mail would keep later mails waiting. */
  async function take(connection: ImapFlow, found: FetchMessageObject): Promise<MailOutcome> {
    const { uid, size = 0, internalDate, envelope } = found;
    if (stuck.uid !== uid) stuck = { uid, fetches: 0, attempts: 0 };
    stuck.fetches += 1;
    const isPartial = size > MOST_BYTES || stuck.fetches > MOST_FETCHES;
    const source = isPartial ? { start: 0, maxLength: START_BYTES } : true;
    const fetched = await connection.fetchOne(String(uid), { source }, { uid: true });
    // The mail was deleted between the listing of the mailbox and this fetch.
    if (!fetched || !fetched.source) return 'fallo';
    stuck.fetches = 0;
    stuck.attempts += 1;
    const receivedAt = new Date(internalDate ?? Date.now());
    const mail = await parser.parse(fetched.source, isPartial);
    // When the server stops, the parser ends without a result. The mail may be good, so it must not count as broken.
    if (!mail) signal.throwIfAborted();
    try {
      if (mail) return await storeParsed(database, inbox, mail, receivedAt);
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

  return { take, end: parser.end };
}

async function storeParsed(database: Store, inbox: Inbox, mail: IncomingMail, receivedAt: Date): Promise<MailOutcome> {
  const [sender = '', ...others] = mail.from;
  if (mail.kind === 'bounce') {
    const { ids = [], status = '' } = mail.bounced ?? {};
    const sql = 'select private.bounce_mail($1, $2)';
    await database.transaction(ids.map((id) => ({ sql, parameters: [id, `the mail came back: ${status}`] })));
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
  // The author of a mail with several senders is not certain. Without a sender, a colleague decides about the quote.
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

const shortened = (address = '') => address.slice(0, 320) || 'desconocido';
