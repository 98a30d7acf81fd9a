import { randomUUID } from 'node:crypto';
import { simpleParser } from 'mailparser';
import { expect, onTestFinished } from 'vitest';
import { messengersFor } from '../../server/alerts/messengers.ts';
import { storeIn } from '../../server/alerts/embedded.ts';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import { sendDue } from '../../server/alerts/send-due.ts';
import type { MailOutcome } from '../../server/channels/mail-intake.ts';
import { startMailReader } from '../../server/channels/mail-reader.ts';
import { folioOf } from '../../src/lead/folio.ts';
import type { ReceivedRow } from '../../src/lead/rows.ts';
import { askAsOwner, asOwner, staffMember } from './callers.ts';
import type { Engine } from './engines.ts';
import { actsOn } from './lead-acts.ts';
import { mailServer } from './mail-server.ts';
import { mailbox } from './mailbox-server.ts';
import type { SampleQuote } from './sample-quote.ts';

export const OWN = 'ventas@carga.example';
export const AUTHSERV = 'mx.carga.example';
export const ana = staffMember('Ana');

/** Mail from the server that a customer may reply to. */
interface Sent {
  readonly quote: SampleQuote;
  readonly id: string;
  readonly replyTo: string;
  readonly references: string;
  readonly subject: string;
}

export interface MailParts {
  readonly from?: string;
  readonly to?: string;
  readonly id?: string | undefined;
  readonly subject?: string;
  readonly headers?: readonly string[];
  readonly text?: string;
}
export const mailOf = ({
  from = 'x@x.mx',
  to = OWN,
  id = `<${randomUUID()}@x.mx>`,
  subject = 'Hola',
  headers = [],
  text = 'Sí.',
}: MailParts) =>
  [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    ...(id ? [`Message-ID: ${id}`] : []),
    ...headers,
    '',
    text,
  ].join('\r\n');

/** Returns a mail of several parts. The lines of a part are its headers, an empty line and its content. */
export const multipart = (type: string, ...parts: readonly (readonly string[])[]) => ({
  headers: ['MIME-Version: 1.0', `Content-Type: multipart/${type}; boundary=b`],
  text: [...parts.flatMap((part) => ['--b', ...part]), '--b--'].join('\r\n'),
});
/** Returns the lines of an attached file. */
export const attached = (name: string, type: string, content: string) => [
  `Content-Type: ${type}; name="${name}"`,
  `Content-Disposition: attachment; filename="${name}"`,
  'Content-Transfer-Encoding: base64',
  '',
  content,
];

/** Returns a customer’s reply as a correct mail program writes it. */
export const replyOf = (
  { quote, replyTo: to, id, references, subject }: Sent,
  { headers = [], ...more }: MailParts = {},
) =>
  mailOf({
    from: `Cliente <${quote.email}>`,
    to,
    subject: `Re: ${subject}`,
    headers: [`In-Reply-To: ${id}`, `References: ${references} ${id}`, ...headers],
    ...more,
  });

/** Returns functions that mail answers with a real mail server, and read replies from a real mailbox. */
export function repliesByMail(engine: Engine) {
  const { ask, take, answer } = actsOn(engine);

  /** Mails an answer to each quote. Returns the mails that the customers got. */
  async function mailed(quotes: readonly SampleQuote[], more: object = {}): Promise<Sent[]> {
    const { mails, url } = await mailServer();
    const settings = readAlertSettings({
      SMTP_URL: url,
      MAIL_FROM: OWN,
      IMAP_URL: 'imaps://u:p@x.mx',
      VITE_COMPANY_NAME: 'Carga',
    });
    for (const quote of quotes) {
      await take(ana, quote);
      await answer(ana, quote, more);
    }
    const messengers = messengersFor(settings, () => 'https://carga.example', fetch);
    while ((await sendDue({ store: storeIn(engine.database), messengers, now: () => Date.now() + 1 })) > 0);
    const read = await Promise.all(mails.map((mail) => simpleParser(mail)));
    return quotes.map((quote) => {
      const mail = read.find(({ subject }) => subject!.includes(folioOf(quote.id)))!;
      const references = [mail.references].flat().join(' ');
      const replyTo = mail.replyTo!.value[0]!.address!;
      return { quote, id: mail.messageId!, replyTo, references, subject: mail.subject! };
    });
  }

  /** Starts to read the mailbox. `done` counts the mails that were read. */
  function readFrom(box: { readonly url: string }) {
    const { inbox } = readAlertSettings({
      SMTP_URL: 'smtp://x',
      MAIL_FROM: OWN,
      IMAP_URL: box.url,
      MAIL_AUTHSERV: AUTHSERV,
    });
    const outcomes: MailOutcome[] = [];
    const options = {
      database: engine.database,
      inbox: inbox!,
      pause: 2,
      onOutcome: (outcome: MailOutcome) => outcomes.push(outcome),
    };
    let reader = startMailReader(options);
    onTestFinished(() => reader.stop());
    return {
      outcomes,
      done: (count: number) =>
        expect.poll(() => outcomes.length, { timeout: 300_000, interval: 50 }).toBeGreaterThanOrEqual(count),
      async restart() {
        await reader.stop();
        reader = startMailReader(options);
      },
      stop: () => reader.stop(),
    };
  }

  const isStarted = () =>
    expect
      .poll(() => askAsOwner(engine, 'select from private.mailboxes'), { timeout: 10_000, interval: 20 })
      .toHaveLength(1);

  async function opened() {
    const box = await mailbox();
    const reading = readFrom(box);
    await isStarted();
    return { ...box, ...reading };
  }

  const received = () =>
    ask<ReceivedRow & { external_id: string }>(ana, 'select * from public.received_messages order by stored_at');

  return {
    mailed,
    readFrom,
    opened,
    received,
    /** Deletes the messages of earlier tests. */
    empty: () =>
      asOwner(
        engine,
        `delete from public.alerts; delete from public.received_messages; delete from private.mailboxes;
         delete from private.received_ids; delete from private.quote_sends`,
      ),
  };
}
