import type { FetchMessageObject, ImapFlow } from 'imapflow';
import type { Database } from '../database/database.ts';
import { record } from '../log.ts';
import type { MailIntake, MailOutcome } from './mail-intake.ts';

/**
 * Maximum age in milliseconds of mails that are read again after the mail server has renumbered the mailbox. The stored
 * number of the last mail is then worthless.
 */
const REREAD = 31 * 86_400_000;
/** Number of mails whose sizes are fetched in one request. */
const BATCH = 50;

export interface Reading {
  readonly connection: ImapFlow;
  readonly database: Pick<Database, 'transaction'>;
  /** Name of this mailbox in the database, which stores the number of the last mail that was read. */
  readonly box: string;
  readonly intake: MailIntake;
  readonly signal: AbortSignal;
  readonly onOutcome?: ((outcome: MailOutcome) => void) | undefined;
}

interface Position {
  readonly uidValidity: string;
  readonly lastUid: number;
}

export async function readNewMails(reading: Reading): Promise<void> {
  const { mailbox } = reading.connection;
  if (!mailbox) return;
  const uidValidity = String(mailbox.uidValidity);
  const end = { uidValidity, lastUid: mailbox.uidNext - 1 };
  const position = await readPosition(reading);
  // At the first start no position is stored. Earlier mail does not concern this server, so the position of the newest
  // mail is stored and no mail is read.
  if (!position) return savePosition(reading, end);
  const isRenumbered = position.uidValidity !== uidValidity;
  const uids = await newUids(reading, isRenumbered ? undefined : position.lastUid);
  for (let at = 0; at < uids.length; at += BATCH) await readBatch(reading, uids.slice(at, at + BATCH), uidValidity);
  if (uids.length === 0 && isRenumbered) await savePosition(reading, end);
}

/** Finds the numbers of the mails after `lastUid`, in order; without `lastUid`, those of the last month. */
async function newUids({ connection }: Reading, lastUid: number | undefined): Promise<readonly number[]> {
  const range = lastUid === undefined ? { since: new Date(Date.now() - REREAD) } : { uid: `${lastUid + 1}:*` };
  const found = (await connection.search(range, { uid: true })) || [];
  // An IMAP range that ends with * always contains the newest mail, even if it was read already.
  return found.filter((uid) => uid > (lastUid ?? 0)).toSorted((one, other) => one - other);
}

async function readBatch(reading: Reading, uids: readonly number[], uidValidity: string): Promise<void> {
  const wanted = { uid: true, size: true, internalDate: true, envelope: true };
  const found = await reading.connection.fetchAll(uids.join(), wanted, { uid: true });
  const ids = found.flatMap(({ envelope }) => envelope?.messageId ?? []);
  const known = await knownIds(reading, ids);
  let lastUid = 0;
  try {
    for (const uid of uids) {
      if (reading.signal.aborted) return;
      const mail = found.find((each) => each.uid === uid);
      const id = mail?.envelope?.messageId;
      if (id && known.has(id)) reading.onOutcome?.('repetido');
      else if (mail) await readOne(reading, mail);
      lastUid = uid;
    }
  } finally {
    // The number of the last mail that was read is stored once for each batch. After a crash the mails of a batch are
    // read again, but their ids show which of them are stored already.
    if (lastUid > 0) await savePosition(reading, { uidValidity, lastUid });
  }
}

async function readOne({ connection, intake, onOutcome }: Reading, found: FetchMessageObject): Promise<void> {
  const began = performance.now();
  const outcome = await intake.take(connection, found);
  onOutcome?.(outcome);
  record('mail', { uid: found.uid, outcome, ms: Math.round(performance.now() - began) });
}

/** Returns the ids of mails that are stored already, so that a renumbered mailbox is not fetched again. */
async function knownIds({ database }: Reading, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const sql = `select id from unnest($1::text[]) as id
    where sha256(convert_to('correo ' || id, 'UTF8')) in (select r.id from private.received_ids as r)`;
  const rows = await database.transaction<{ id: string }>([{ sql, parameters: [ids] }], { access: 'read' });
  return new Set(rows.map(({ id }) => id));
}

async function readPosition({ database, box }: Reading): Promise<Position | undefined> {
  const sql =
    'select uid_validity::text as "uidValidity", last_uid::integer as "lastUid" from private.mailboxes where name = $1';
  const [position] = await database.transaction<Position>([{ sql, parameters: [box] }], { access: 'read' });
  return position;
}

async function savePosition({ database, box }: Reading, { uidValidity, lastUid }: Position): Promise<void> {
  const sql = `insert into private.mailboxes (name, uid_validity, last_uid) values ($1, $2, $3)
    on conflict (name) do update set uid_validity = excluded.uid_validity, last_uid = excluded.last_uid, read_at = now()`;
  await database.transaction([{ sql, parameters: [box, uidValidity, lastUid] }]);
}
