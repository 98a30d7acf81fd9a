import type { Environment } from '../../build/setting-names.ts';
import { z } from 'zod';
import { readInbox } from '../channels/inbox.ts';
import { hosts } from '../hosts.ts';
import { localize } from '../language.ts';
import { readAs } from '../read-as.ts';

const ADDRESS = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;
/**
 * Sample e-mail, used as the contact if the company has none. Push services require a contact, and Apple's push service
 * refuses a contact in a private network.
 */
export const SAMPLE = 'cotizaciones@aeropuente.example';

const line = z.string().trim().default('');

const isMailServer = (value: string) => URL.canParse(value) && /^smtps?:$/.test(new URL(value).protocol);

/** Settings without which WhatsApp is off. Some are secrets, so error messages omit their values. */
const WHATSAPP = ['WHATSAPP_TOKEN', 'WHATSAPP_PHONE_ID', 'WHATSAPP_APP_SECRET', 'WHATSAPP_VERIFY_TOKEN'] as const;
const template = (name: string) =>
  line.refine((value) => /^[a-z0-9_]{0,512}$/.test(value), {
    error: localize({
      es: `${name} debe ser el nombre de una plantilla: minúsculas, cifras y _.`,
      en: `${name} must be the name of a template: lower-case letters, digits and _.`,
    }),
  });

/** Settings of alerts. An empty value counts as missing. */
export const alertSettings = z
  .object({
    VITE_COMPANY_NAME: line,
    VITE_COMPANY_EMAIL: line,
    // The errors omit the value, which contains a password.
    SMTP_URL: line.refine((value) => !value || isMailServer(value), {
      error: localize({
        es: 'SMTP_URL debe ser una dirección como smtps://usuario:contraseña@mail.example.com:465.',
        en: 'SMTP_URL must be an address such as smtps://user:password@mail.example.com:465.',
      }),
    }),
    ALERT_MAIL: line.refine((value) => !value || value.split(',').every((each) => ADDRESS.test(each.trim())), {
      error: ({ input }) =>
        localize({
          es: `ALERT_MAIL debe ser un correo, o varios separados por comas; es "${String(input)}".`,
          en: `ALERT_MAIL must be an e-mail address, or several separated by commas; it is "${String(input)}".`,
        }),
    }),
    MAIL_FROM: line.refine((value) => !value || ADDRESS.test(value), {
      error: ({ input }) =>
        localize({
          es: `MAIL_FROM debe ser un correo; es "${String(input)}".`,
          en: `MAIL_FROM must be an e-mail address; it is "${String(input)}".`,
        }),
    }),
    // The error omits the value, which contains a password.
    IMAP_URL: line.refine((value) => !value || readInbox(value), {
      error: localize({
        es: 'IMAP_URL debe ser una dirección como imaps://usuario:contraseña@mail.example.com/INBOX, con %40 por @.',
        en: 'IMAP_URL must be an address such as imaps://user:password@mail.example.com/INBOX, with %40 for @.',
      }),
    }),
    MAIL_TAGS: line.refine((value) => ['', '0', '1'].includes(value), {
      error: localize({ es: 'MAIL_TAGS debe ser 1 o 0.', en: 'MAIL_TAGS must be 1 or 0.' }),
    }),
    MAIL_AUTHSERV: line.refine((value) => /^[\w.-]*$/.test(value), {
      error: localize({
        es: 'MAIL_AUTHSERV debe ser un nombre como mx.google.com.',
        en: 'MAIL_AUTHSERV must be a name such as mx.google.com.',
      }),
    }),
    PUSH_SERVICES: hosts('PUSH_SERVICES'),
    WHATSAPP_TOKEN: line,
    WHATSAPP_PHONE_ID: line.refine((value) => /^\d*$/.test(value), {
      error: localize({
        es: 'WHATSAPP_PHONE_ID debe ser el identificador del número (sólo cifras), no el número.',
        en: 'WHATSAPP_PHONE_ID must be the id of the number (digits only), not the number.',
      }),
    }),
    WHATSAPP_APP_SECRET: line,
    WHATSAPP_VERIFY_TOKEN: line.refine((value) => !value || /^\S{16,}$/.test(value), {
      error: localize({
        es: 'WHATSAPP_VERIFY_TOKEN debe tener 16 letras o más, sin espacios: openssl rand -hex 16.',
        en: 'WHATSAPP_VERIFY_TOKEN must be 16 characters or more, without a space: openssl rand -hex 16.',
      }),
    }),
    WHATSAPP_API_URL: line.refine((value) => !value || /^https?:$/.test(URL.parse(value)?.protocol ?? ''), {
      error: localize({
        es: 'WHATSAPP_API_URL debe ser una dirección como https://graph.facebook.com/v26.0.',
        en: 'WHATSAPP_API_URL must be an address such as https://graph.facebook.com/v26.0.',
      }),
    }),
    WHATSAPP_MEDIA_HOSTS: hosts('WHATSAPP_MEDIA_HOSTS'),
    WHATSAPP_TEMPLATE_ANSWER: template('WHATSAPP_TEMPLATE_ANSWER'),
    WHATSAPP_TEMPLATE_NEWS: template('WHATSAPP_TEMPLATE_NEWS'),
  })
  .refine(({ SMTP_URL, ALERT_MAIL, MAIL_FROM }) => !SMTP_URL === !(ALERT_MAIL || MAIL_FROM), {
    error: localize({
      es: 'SMTP_URL necesita ALERT_MAIL, el correo del equipo, o MAIL_FROM, el remitente de los correos a clientes; y cada una de ellas, SMTP_URL.',
      en: 'SMTP_URL must be set together with ALERT_MAIL, the mailbox of the team, or MAIL_FROM, the sender of mail to customers.',
    }),
  })
  .refine(({ IMAP_URL, MAIL_FROM }) => !IMAP_URL || MAIL_FROM, {
    error: localize({
      es: 'IMAP_URL necesita MAIL_FROM: en ese buzón llegan las respuestas a los correos a clientes.',
      en: 'IMAP_URL needs MAIL_FROM: replies to the mail to customers arrive in that mailbox.',
    }),
  })
  .superRefine((values, context) => {
    const [absent] = WHATSAPP.filter((name) => !values[name]);
    const present = WHATSAPP.find((name) => values[name]);
    if (!absent || !present) return;
    const message = localize({
      es: `Falta ${absent}: WhatsApp necesita ${WHATSAPP.join(', ')}, o ninguna de ellas.`,
      en: `${absent} is not set: WhatsApp needs ${WHATSAPP.join(', ')}, or none of them.`,
    });
    context.addIssue({ code: 'custom', message });
  })
  .transform((values) => {
    const { VITE_COMPANY_NAME, VITE_COMPANY_EMAIL, SMTP_URL, ALERT_MAIL, MAIL_FROM, PUSH_SERVICES } = values;
    const company = VITE_COMPANY_EMAIL || SAMPLE;
    const box = values.IMAP_URL ? readInbox(values.IMAP_URL) : undefined;
    return {
      contact: `mailto:${company}`,
      services: PUSH_SERVICES,
      mail: ALERT_MAIL ? { url: SMTP_URL, to: ALERT_MAIL, from: MAIL_FROM || company } : undefined,
      whatsapp: values.WHATSAPP_TOKEN
        ? {
            token: values.WHATSAPP_TOKEN,
            phoneId: values.WHATSAPP_PHONE_ID,
            appSecret: values.WHATSAPP_APP_SECRET,
            verifyToken: values.WHATSAPP_VERIFY_TOKEN,
            api: (values.WHATSAPP_API_URL || 'https://graph.facebook.com/v26.0').replace(/\/$/, ''),
            mediaHosts: values.WHATSAPP_MEDIA_HOSTS.length > 0 ? values.WHATSAPP_MEDIA_HOSTS : ['lookaside.fbsbx.com'],
            templates: {
              answer: values.WHATSAPP_TEMPLATE_ANSWER || 'respuesta_lista',
              news: values.WHATSAPP_TEMPLATE_NEWS || 'novedad_solicitud',
            },
          }
        : undefined,
      /** Customers get mail only if the operator has set the sender's address MAIL_FROM. */
      customers: MAIL_FROM
        ? {
            url: SMTP_URL,
            from: MAIL_FROM,
            name: VITE_COMPANY_NAME || 'AeroPuente',
            hasTags: Boolean(box) && values.MAIL_TAGS !== '0',
            readsReplies: Boolean(box),
          }
        : undefined,
      inbox: box && { ...box, own: MAIL_FROM.toLowerCase(), authserv: values.MAIL_AUTHSERV.toLowerCase() },
    };
  });

export const readAlertSettings = (environment: Environment): AlertSettings => readAs(alertSettings, environment);

export type AlertSettings = Readonly<z.infer<typeof alertSettings>>;
export type WhatsAppSettings = NonNullable<AlertSettings['whatsapp']>;
