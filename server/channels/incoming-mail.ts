import { createHash } from 'node:crypto';
import { simpleParser, type AddressObject, type EmailAddress, type ParsedMail } from 'mailparser';
import { readFolio } from '../../src/lead/folio.ts';
import { tagIn } from '../../src/lead/mail-tag.ts';
import { cutReply } from './mail-text.ts';

export interface IncomingMail {
  /** Message-ID; the hash of the source if there is none. */
  readonly id: string;
  /** Addresses in `From`, in lower case; exactly one in a proper mail. */
  readonly from: readonly string[];
  readonly name: string | undefined;
  readonly kind: 'person' | 'automatic' | 'bounce';
  /** Tags in the recipients' addresses. Customers reply to an address that contains the tag of their quote. */
  readonly tags: readonly string[];
  /** Ids of our own mails to which this mail refers. */
  readonly ids: readonly string[];
  readonly folios: readonly string[];
  readonly body: string;
  /** Whole text of the mail, if `body` is only a part of it. */
  readonly whole: string | undefined;
  readonly authenticationResults: readonly string[];
  readonly files: readonly { readonly name: string; readonly content: Uint8Array | null }[];
  /** Ids of our own mails that this mail reports as undeliverable for good, with the status code. */
  readonly bounced: { readonly ids: readonly string[]; readonly status: string } | undefined;
}

const OWN_ID = /<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/gi;
const FOLIO = /\bAP-[0-9A-Z]{4}-[0-9A-Z]{4}\b/gi;
const RECIPIENTS = ['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to'];
/** Subjects of automatic replies, for mail programs that do not mark these replies in a header. */
const AUTOMATIC_SUBJECT =
  /^(re: )?(automatic reply|auto:|autoreply|out of office|respuesta autom[aá]tica|fuera de (la )?oficina|自动回复)/i;
/** Types of attachments that mail programs add. They are not stored. */
const UNASKED =
  /^(application\/(pgp-signature|(x-)?pkcs7-signature)|text\/(calendar|rfc822-headers)|message\/delivery-status)$/;
/**
 * Maximum number of bytes of a picture inside the text that counts as the logo of a signature. A logo is not stored.
 */
const LOGO = 30_000;
const LONGEST_ID = 900;
/** Maximum number of addresses in a header, and of headers with the same name. The rest is ignored. */
const MOST = 50;

export const idOfSource = (source: Uint8Array): string => `sha256:${createHash('sha256').update(source).digest('hex')}`;

/** Reads the source of a mail. `isPartial`: the source ends early, so its attachments are not complete. */
export async function readMail(source: Buffer, isPartial: boolean): Promise<IncomingMail> {
  const mail = await simpleParser(source, {
    skipImageLinks: true,
    skipTextToHtml: true,
    keepDeliveryStatus: true,
    ignoreEmbedded: true,
    checksumAlgo: false,
    maxHtmlLengthToParse: 500_000,
    maxChildNodes: 200,
  });
  const headers = (...names: string[]) =>
    mail.headerLines
      .filter(({ key }) => names.includes(key))
      .slice(0, MOST)
      .map(({ line }) =>
        line
          .slice(line.indexOf(':') + 1)
          .replaceAll(/\r?\n[ \t]+/g, ' ')
          .trim(),
      );
  const threading = headers('in-reply-to', 'references').join(' ').slice(0, 20_000);
  const subject = (mail.subject ?? '').slice(0, 1000);
  const { body, whole } = cutReply(mail.text ?? '');
  const tags = unique(
    headers(...RECIPIENTS).flatMap((header) =>
      header
        .slice(0, 20_000)
        .split(/[\s,<>]+/)
        .map(tagIn),
    ),
  );
  const ids = idsIn(threading);
  const folios = foliosIn(`${subject} ${threading}`);
  const isNamed = tags.length + ids.length + folios.length > 0;
  const kind = kindOf(mail, headers, subject, isNamed);
  const senders = addressesIn(mail.from);
  return {
    id: mail.messageId && mail.messageId.length <= LONGEST_ID ? mail.messageId : idOfSource(source),
    from: senders.flatMap(({ address }) => address?.toLowerCase() ?? []),
    name: senders[0]?.name || undefined,
    kind,
    tags,
    ids,
    folios,
    body: body || subject.trim(),
    whole: whole === body ? undefined : whole,
    authenticationResults: headers('authentication-results'),
    files: kind === 'person' ? filesOf(mail, isPartial) : [],
    bounced: kind === 'bounce' ? bouncedBy(mail) : undefined,
  };
}

const unique = (texts: readonly (string | undefined)[]) =>
  [...new Set(texts.filter((text) => text !== undefined))].slice(0, MOST);
const idsIn = (text: string) => unique([...text.matchAll(OWN_ID)].map(([, id]) => id?.toLowerCase()));
const foliosIn = (text: string) => unique([...text.matchAll(FOLIO)].map(([folio]) => readFolio(folio)));

function addressesIn(header: AddressObject | undefined): readonly EmailAddress[] {
  return (header?.value ?? []).flatMap((each) => each.group ?? each).slice(0, MOST);
}

type ReadHeaders = (...names: string[]) => readonly string[];

/**
 * Tells whether a person, a program or a mail server wrote the mail. Mail from a mailing list counts as automatic,
 * unless it names a quote (`isNamed`): the list is then the team's own, such as a Google Group.
 */
function kindOf(mail: ParsedMail, headers: ReadHeaders, subject: string, isNamed: boolean): IncomingMail['kind'] {
  if (/multipart\/report/i.test(headers('content-type')[0] ?? '')) return 'bounce';
  const isAutomatic =
    headers('auto-submitted').some((value) => !/^no\b/i.test(value)) ||
    headers('precedence').some((value) => /^(bulk|junk|auto_reply)/i.test(value)) ||
    headers('x-autoreply', 'x-autorespond').length > 0 ||
    (!isNamed && (headers('list-id').length > 0 || headers('precedence').some((value) => /^list/i.test(value)))) ||
    headers('return-path').some((value) => value === '<>') ||
    AUTOMATIC_SUBJECT.test(subject) ||
    addressesIn(mail.from).some(({ address = '' }) => /^(mailer-daemon|postmaster|no-?reply)@/i.test(address));
  return isAutomatic ? 'automatic' : 'person';
}

function filesOf({ attachments }: ParsedMail, isPartial: boolean): IncomingMail['files'] {
  return attachments
    .filter(({ contentType, related, size }) => !UNASKED.test(contentType) && !(related && size <= LOGO))
    .slice(0, MOST)
    .map(({ filename = 'archivo', content }) => ({ name: filename, content: isPartial ? null : content }));
}

/** Reads a delivery report (RFC 3464). The report quotes the headers of our undelivered mail, which contain its ids. */
function bouncedBy({ attachments, text = '' }: ParsedMail): IncomingMail['bounced'] {
  const parts = attachments.map(({ content }) => content.subarray(0, 100_000).toString('latin1'));
  const report = parts.find((part) => /^Action:/im.test(part)) ?? '';
  const [, status = ''] = /^Status:\s*(5\.\d{1,3}\.\d{1,3})/im.exec(report) ?? [];
  if (!status || !/^Action:\s*failed/im.test(report)) return undefined;
  return { ids: idsIn([...parts, text.slice(0, 100_000)].join('\n')), status };
}
