import { createTransport } from 'nodemailer';
import { tell, type Message, type Outcome } from './message.ts';

export interface MailMeans {
  /** smtp:// or smtps://, with user and password where they are asked for. */
  readonly url: string;
  readonly to: string;
  readonly from: string;
}

const TIME_OUT = 10_000;

/** Sends one alert to the mailbox of the team: folio, kind and link. */
export function createMail({ url, to, from }: MailMeans) {
  const transport = createTransport(url, { from });
  return async (message: Message, site: string): Promise<Outcome> => {
    const { says, link } = tell(message, site);
    try {
      await within(
        transport.sendMail({
          to,
          subject: says.es,
          text: `${says.es}\n${says.en}\n\n${link}\n`,
          // The same mail twice, after a lost answer, is one to a mailbox that looks.
          messageId: `<${message.message_id}@aeropuente.invalid>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      );
      return { kind: 'sent', why: 'mailed' };
    } catch (error) {
      const { responseCode: code = 0, code: name = '' } = error as { responseCode?: number; code?: string };
      // 5xx is a mailbox or a password that is wrong: somebody has to change the settings.
      return code >= 500 && code < 600
        ? { kind: 'failed', why: `the mail server says ${code}` }
        : { kind: 'again', why: `the mail server was not reached${name && ` (${name})`}` };
    }
  };
}

async function within<Result>(work: Promise<Result>): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('too late'), { code: 'ETIMEDOUT' })), TIME_OUT);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
