import { createTransport } from 'nodemailer';
import { parseEnv } from 'node:util';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { settingNames } from '../../build/environment.ts';
import { EARLIER_NAMES } from '../../build/setting-names.ts';
import { englishWords } from '../../src/content/bilingual.ts';
import { whatsAppFailures } from '../../src/content/whatsapp-failures.ts';
import { errorGroupOf } from '../../src/lead/whatsapp-codes.ts';
import { codeOf, connectionTo } from '../channels/mail-reader.ts';
import { newestBackup } from '../database/backups.ts';
import { nameOfRelease } from '../release.ts';
import { SETTING_NAMES } from '../settings.ts';
import { fault, messageOf, REQUEST_TIMEOUT, unknown, well, type Check } from './finding.ts';

/** Settings that only commands read. */
const OF_COMMANDS = ['SUPABASE_URL', 'SUPABASE_SECRET_KEY', 'SUPABASE_PROJECT_REF', 'SUPABASE_DB_URL', 'NODE_ENV'];

/** Finds misspelled settings, because the programs that read the settings ignore unknown names. */
export function settingsIn(file: string): Check {
  return async () => {
    if (!existsSync(file)) return unknown({ es: 'Ajustes: no hay archivo.', en: 'Settings: there is no file.' }, file);
    const known = [...SETTING_NAMES, ...settingNames, ...OF_COMMANDS, ...Object.values(EARLIER_NAMES)];
    const strange = Object.keys(parseEnv(readFileSync(file, 'utf8'))).filter((name) => !known.includes(name));
    if (strange.length === 0) return well({ es: 'Ajustes: todos conocidos.', en: 'Settings: all known.' }, file);
    return fault(
      {
        es: `Ajustes: AeroPuente no conoce ${strange.join(', ')}.`,
        en: `Settings: AeroPuente does not know ${strange.join(', ')}.`,
      },
      {
        es: 'Corrija el nombre. La lista completa: docs/operating.md, "Settings".',
        en: 'Correct the name. The whole list: docs/operating.md, "Settings".',
      },
      file,
    );
  };
}

export const mail: Check = async ({ settings: { alerts }, sends }) => {
  const sender = alerts.mail ?? alerts.customers;
  if (!sender)
    return unknown({
      es: 'Correo: no está configurado (SMTP_URL con ALERT_MAIL o MAIL_FROM).',
      en: 'Mail: not set up (SMTP_URL with ALERT_MAIL or MAIL_FROM).',
    });
  const { url, from } = sender;
  // If the team has no mailbox, the test mail goes to the sender's own mailbox.
  const to = alerts.mail?.to ?? from;
  const transport = createTransport({
    url,
    connectionTimeout: REQUEST_TIMEOUT,
    greetingTimeout: REQUEST_TIMEOUT,
    socketTimeout: REQUEST_TIMEOUT,
  });
  try {
    if (!sends) {
      await transport.verify();
      return well({
        es: 'Correo: el servidor lo acepta (con --send se envía una prueba).',
        en: 'Mail: the server accepts it (--send sends a test).',
      });
    }
    const { accepted, rejected } = await transport.sendMail({
      from,
      to,
      subject: 'Prueba de AeroPuente · Test of AeroPuente',
      text: 'El correo de los avisos funciona.\nThe mail of the alerts works.\n',
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    if (rejected.length > 0) throw new Error(`${rejected.join(', ')}: refused`);
    return well({ es: 'Correo: prueba enviada.', en: 'Mail: a test was sent.' }, accepted.join(', '));
  } catch (error) {
    return fault(
      { es: 'Correo: no se puede enviar.', en: 'Mail: cannot be sent.' },
      {
        es: 'Revise SMTP_URL (usuario, contraseña con %40 por @, puerto 465 con smtps) y ALERT_MAIL; muchos proveedores cierran el puerto 25.',
        en: 'Check SMTP_URL (user, password with %40 for @, port 465 with smtps) and ALERT_MAIL; many providers close port 25.',
      },
      messageOf(error),
    );
  } finally {
    transport.close();
  }
};

export const whatsApp: Check = async ({ settings: { alerts }, fetch, stuckHooks }) => {
  const { whatsapp } = alerts;
  if (!whatsapp)
    return unknown({
      es: 'WhatsApp: no está configurado (WHATSAPP_TOKEN).',
      en: 'WhatsApp: not set up (WHATSAPP_TOKEN).',
    });
  // If the server cannot be reached, another check reports that, and this check continues.
  const stuck = await stuckHooks().catch(() => 0);
  if (stuck > 0)
    return fault(
      {
        es: `WhatsApp: ${stuck} envíos recibidos no se pudieron guardar.`,
        en: `WhatsApp: ${stuck} received webhooks could not be stored.`,
      },
      {
        es: 'Actualice AeroPuente: el servidor lo intenta cada hora durante una semana. aeropuente logs dice por qué falla.',
        en: 'Update AeroPuente: the server tries every hour for a week. aeropuente logs says why it fails.',
      },
    );
  try {
    const response = await fetch(`${whatsapp.api}/${whatsapp.phoneId}?fields=verified_name,display_phone_number`, {
      headers: { authorization: `Bearer ${whatsapp.token}` },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    });
    const { error, display_phone_number: number, verified_name: name } = numberSchema.parse(await response.json());
    if (error) throw new Error(`${error.code}: ${englishWords(whatsAppFailures[errorGroupOf(error.code)])}`);
    return well(
      { es: 'WhatsApp: el token y el número sirven.', en: 'WhatsApp: token and number work.' },
      [name, number].filter(Boolean).join(', '),
    );
  } catch (error) {
    return fault(
      { es: 'WhatsApp: no se puede enviar.', en: 'WhatsApp: cannot send.' },
      {
        es: 'Revise WHATSAPP_TOKEN (de un usuario del sistema, sin vencimiento) y WHATSAPP_PHONE_ID: docs/operar.md, "WhatsApp".',
        en: 'Check WHATSAPP_TOKEN (of a system user, without expiry) and WHATSAPP_PHONE_ID: docs/operar.md, "WhatsApp".',
      },
      messageOf(error),
    );
  }
};

/** WhatsApp's answer to a request for our phone number: the number, or an error. */
const numberSchema = z.object({
  display_phone_number: z.string().optional(),
  verified_name: z.string().optional(),
  error: z.object({ code: z.number() }).optional(),
});

/** Opens the mailbox of replies. A wrong MAIL_TAGS is not found here, because it shows only when a customer replies. */
export const inbox: Check = async ({ settings: { alerts } }) => {
  if (!alerts.inbox)
    return unknown({
      es: 'Respuestas por correo: no están configuradas (IMAP_URL).',
      en: 'Replies by mail: not set up (IMAP_URL).',
    });
  const connection = connectionTo(alerts.inbox, REQUEST_TIMEOUT);
  connection.on('error', () => undefined);
  try {
    await connection.connect();
    const { exists } = await connection.mailboxOpen(alerts.inbox.mailbox, { readOnly: true });
    return well(
      { es: 'Respuestas por correo: el buzón se abre.', en: 'Replies by mail: the mailbox opens.' },
      `${exists}`,
    );
  } catch (error) {
    return fault(
      { es: 'Respuestas por correo: el buzón no se abre.', en: 'Replies by mail: the mailbox does not open.' },
      {
        es: 'Revise IMAP_URL (usuario y contraseña con %40 por @, puerto 993 con imaps) y que el proveedor permita IMAP con contraseña de aplicación.',
        en: 'Check IMAP_URL (user and password with %40 for @, port 993 with imaps), and that the provider allows IMAP with an app password.',
      },
      // The text of the error may repeat the password.
      codeOf(error),
    );
  } finally {
    connection.close();
  }
};

export const push: Check = async ({ settings: { alerts }, devices }) => {
  try {
    const count = await devices();
    if (count > 0)
      return well({ es: `Avisos: activados en ${count} equipos.`, en: `Alerts: turned on on ${count} devices.` });
    if (alerts.mail) return well({ es: 'Avisos: sólo por correo.', en: 'Alerts: by mail only.' });
  } catch (error) {
    return unknown({ es: 'Avisos: no se pudieron revisar.', en: 'Alerts: could not be checked.' }, messageOf(error));
  }
  return fault(
    {
      es: 'Avisos: ningún equipo los tiene activados, y no hay correo.',
      en: 'Alerts: turned on on no device, and there is no mailbox.',
    },
    {
      es: 'En la mesa: ☰, "Avisos", "Avisos en este dispositivo"; o SMTP_URL y ALERT_MAIL.',
      en: 'In the desk: ☰, "Avisos", "Avisos en este dispositivo"; or SMTP_URL and ALERT_MAIL.',
    },
  );
};

export const webhooks: Check = async ({ asideWebhooks, settings: { hosted } }) => {
  if (hosted)
    return unknown({ es: 'Webhooks: no los hay con Supabase alojado.', en: 'Webhooks: none with hosted Supabase.' });
  let count: number;
  try {
    count = await asideWebhooks();
  } catch (error) {
    return unknown(
      { es: 'Webhooks: no se pudieron revisar.', en: 'Webhooks: could not be checked.' },
      messageOf(error),
    );
  }
  if (count === 0) return well({ es: 'Webhooks: ninguno sin entregar.', en: 'Webhooks: none undelivered.' });
  return fault(
    { es: `Webhooks: ${count} no llegaron en un día.`, en: `Webhooks: ${count} did not arrive within a day.` },
    {
      es: 'aeropuente webhooks log --aside dice por qué; corrija el receptor y dé aeropuente webhooks again <día> --aside, o quítelo con remove.',
      en: 'aeropuente webhooks log --aside says why; correct the receiver and run aeropuente webhooks again <day> --aside, or remove it.',
    },
  );
};

export const backup: Check = async ({ settings: { backups, database, hosted }, now, tryBackup }) => {
  if (database || hosted)
    return unknown({
      es: 'Respaldos: los hace el administrador de la base de datos.',
      en: 'Backups: made by the administrator of the database.',
    });
  if (!backups)
    return fault(
      { es: 'Respaldos: ninguno (falta BACKUP_DIR).', en: 'Backups: none (BACKUP_DIR is not set).' },
      {
        es: 'Ponga BACKUP_DIR en los ajustes, en otro disco; systemctl restart aeropuente',
        en: 'Set BACKUP_DIR in the settings, on another disk; systemctl restart aeropuente',
      },
    );
  const newest = newestBackup(backups.folder);
  const hours = newest ? Math.floor((now() - newest.at.getTime()) / 3_600_000) : Infinity;
  if (!newest || hours * 3_600_000 > 2 * backups.everyMs)
    return fault(
      newest
        ? { es: `Respaldos: el más nuevo es de hace ${hours} h.`, en: `Backups: the newest is ${hours} h old.` }
        : { es: 'Respaldos: no hay ninguno.', en: 'Backups: there is none.' },
      {
        es: 'La causa: aeropuente logs | grep "NO BACKUP". Para hacer uno ahora: aeropuente backup',
        en: 'The reason: aeropuente logs | grep "NO BACKUP". To make one now: aeropuente backup',
      },
      backups.folder,
    );
  if (!tryBackup)
    return well({ es: `Respaldos: el más nuevo es de hace ${hours} h.`, en: `Backups: the newest is ${hours} h old.` });
  try {
    const { quotes } = await tryBackup(newest.file);
    return well({
      es: `Respaldos: el de hace ${hours} h se puede recuperar (${quotes} cotizaciones).`,
      en: `Backups: the one of ${hours} h ago can be restored (${quotes} quotes).`,
    });
  } catch (error) {
    return fault(
      { es: 'Respaldos: el más nuevo no se puede recuperar.', en: 'Backups: the newest cannot be restored.' },
      {
        es: 'Haga otro ahora (aeropuente backup) y revise ese disco.',
        en: 'Make another now (aeropuente backup) and check that disk.',
      },
      messageOf(error),
    );
  }
};

const releaseSchema = z.object({ version: z.string().regex(/^\d+\.\d+\.\d+/) });

/** Compares this release with the newest one, whose `release.json` is at RELEASE_URL. */
export const newer: Check = async ({ settings: { releaseUrl }, fetch }) => {
  if (!releaseUrl)
    return unknown({
      es: 'Versión más nueva: falta RELEASE_URL.',
      en: 'Newer release: RELEASE_URL is not set.',
    });
  const [own = ''] = nameOfRelease().split(' ');
  try {
    const response = await fetch(releaseUrl, { signal: AbortSignal.timeout(REQUEST_TIMEOUT) });
    const { version } = releaseSchema.parse(await response.json());
    if (version.localeCompare(own, undefined, { numeric: true }) <= 0)
      return well({ es: `Versión: ${own}, la más nueva.`, en: `Release: ${own}, the newest.` });
    return fault(
      {
        es: `Versión: ésta es ${own}; la más nueva es ${version}.`,
        en: `Release: this is ${own}; the newest is ${version}.`,
      },
      { es: 'docs/operar.md, "Una versión nueva".', en: 'docs/operar.md, "Una versión nueva".' },
    );
  } catch (error) {
    return unknown(
      { es: 'Versión más nueva: no se pudo consultar.', en: 'Newer release: could not be checked.' },
      messageOf(error),
    );
  }
};
