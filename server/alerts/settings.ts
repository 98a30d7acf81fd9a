import { z } from 'zod';

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;
const HOST = /^(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?$/;
/** Push services ask for somebody to write to; Apple's turns away what is no public address. */
export const SAMPLE = 'cotizaciones@aeropuente.example';

const line = z.string().trim().default('');
const hostsIn = (value: string) => (value ? value.split(',').map((host) => host.trim()) : []);
const isMailServer = (value: string) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol);

/** A blank is as good as none. */
export const alertSettings = z
  .object({
    VITE_COMPANY_NAME: line,
    VITE_COMPANY_EMAIL: line,
    // Not said with its value: there is a password in it.
    SMTP_URL: line.refine((value) => !value || isMailServer(value), {
      error: 'SMTP_URL must be an address such as smtps://user:password@mail.example.com:465.',
    }),
    ALERT_MAIL: line.refine((value) => !value || value.split(',').every((each) => ADDRESS.test(each.trim())), {
      error: ({ input }) =>
        `ALERT_MAIL must be an e-mail address, or several with commas between; it is "${String(input)}".`,
    }),
    MAIL_FROM: line.refine((value) => !value || ADDRESS.test(value), {
      error: ({ input }) => `MAIL_FROM must be an e-mail address; it is "${String(input)}".`,
    }),
    PUSH_SERVICES: line.refine((value) => hostsIn(value).every((host) => HOST.test(host)), {
      error: ({ input }) => {
        const wrong = hostsIn(String(input)).find((host) => !HOST.test(host));
        return `PUSH_SERVICES must be hosts with commas between, such as push.example.com; "${wrong}" is none.`;
      },
    }),
  })
  .refine(({ SMTP_URL, ALERT_MAIL, MAIL_FROM }) => !SMTP_URL === !(ALERT_MAIL || MAIL_FROM), {
    error:
      'SMTP_URL must be set together with ALERT_MAIL, the mailbox of the team, or MAIL_FROM, the sender of mail to customers.',
  })
  .transform(({ VITE_COMPANY_NAME, VITE_COMPANY_EMAIL, SMTP_URL, ALERT_MAIL, MAIL_FROM, PUSH_SERVICES }) => {
    const company = VITE_COMPANY_EMAIL || SAMPLE;
    return {
      contact: `mailto:${company}`,
      services: hostsIn(PUSH_SERVICES),
      /** Mailbox of the team. */
      mail: ALERT_MAIL ? { url: SMTP_URL, to: ALERT_MAIL, from: MAIL_FROM || company } : undefined,
      /** Mail to customers: only from an address that the operator chose. */
      customers: MAIL_FROM ? { url: SMTP_URL, from: MAIL_FROM, name: VITE_COMPANY_NAME || 'AeroPuente' } : undefined,
    };
  });

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws a sentence that names the variable when a value cannot be meant. */
export function readAs<Output>(schema: z.ZodType<Output>, environment: Environment): Output {
  const { data, error } = schema.safeParse(environment);
  if (error) throw new Error(error.issues[0]!.message);
  return data;
}

export const readAlertSettings = (environment: Environment): AlertSettings => readAs(alertSettings, environment);

export type AlertSettings = Readonly<z.infer<typeof alertSettings>>;
