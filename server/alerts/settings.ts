import type { MailMeans } from './mail.ts';

export interface AlertSettings {
  readonly contact: string;
  readonly services: readonly string[];
  readonly mail: MailMeans | undefined;
}

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;
/** Push services ask for somebody to write to; Apple's turns away what is no public address. */
const SAMPLE = 'cotizaciones@aeropuente.example';

/** Throws a sentence that names the variable when a value cannot be meant. */
export function readAlertSettings(environment: Readonly<Record<string, string | undefined>>): AlertSettings {
  const read = (name: string) => environment[name]?.trim() || undefined;
  const company = read('VITE_COMPANY_EMAIL') ?? SAMPLE;
  const url = read('SMTP_URL');
  const to = read('ALERT_MAIL');
  if (!url !== !to)
    throw new Error('SMTP_URL and ALERT_MAIL must be set together: where mail is sent by, and to whom.');
  if (url && !(URL.canParse(url) && /^smtps?:$/.test(new URL(url).protocol)))
    // Not said with its value: there is a password in it.
    throw new Error('SMTP_URL must be an address such as smtps://user:password@mail.example.com:465.');
  if (to && !to.split(',').every((each) => ADDRESS.test(each.trim())))
    throw new Error(`ALERT_MAIL must be an e-mail address, or several with commas between; it is "${to}".`);
  const services =
    read('PUSH_SERVICES')
      ?.split(',')
      .map((host) => host.trim()) ?? [];
  const wrong = services.find((host) => !/^(\*\.)?[\w-]+(\.[\w-]+)*(:\d+)?$/.test(host));
  if (wrong !== undefined)
    throw new Error(`PUSH_SERVICES must be hosts with commas between, such as push.example.com; "${wrong}" is none.`);
  return { contact: `mailto:${company}`, services, mail: url && to ? { url, to, from: company } : undefined };
}
