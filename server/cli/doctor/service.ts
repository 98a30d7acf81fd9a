import { createTransport } from 'nodemailer';
import { parseEnv } from 'node:util';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { settingNames } from '../../../build/environment.ts';
import { EARLIER_NAMES } from '../../../build/setting-names.ts';
import { newestBackup } from '../../database/backups.ts';
import { nameOfRelease } from '../../release.ts';
import { SETTING_NAMES } from '../../settings.ts';
import { openAlerts } from '../alerts-api.ts';
import { tryBackup } from '../backup-file.ts';
import { localize } from '../../language.ts';
import { fault, messageOf, PATIENCE, unknown, well, type Check } from './finding.ts';

/** Names of settings that commands read, beside the server's. */
const OF_COMMANDS = ['SUPABASE_URL', 'SUPABASE_SECRET_KEY', 'SUPABASE_PROJECT_REF', 'SUPABASE_DB_URL', 'NODE_ENV'];

/** A misspelled name is read by nobody, in silence. */
export function settingsIn(file: string): Check {
  return async () => {
    if (!existsSync(file)) return unknown({ es: `Ajustes: no existe ${file}.`, en: `Settings: there is no ${file}.` });
    const known = [...SETTING_NAMES, ...settingNames, ...OF_COMMANDS, ...Object.values(EARLIER_NAMES)];
    const strange = Object.keys(parseEnv(readFileSync(file, 'utf8'))).filter((name) => !known.includes(name));
    if (strange.length === 0)
      return well({ es: `Ajustes: ${file}, todos conocidos.`, en: `Settings: ${file}, all known.` });
    return fault(
      {
        es: `Ajustes: nadie lee ${strange.join(', ')} en ${file}.`,
        en: `Settings: nobody reads ${strange.join(', ')} in ${file}.`,
      },
      {
        es: 'Corrija el nombre: docs/operating.md, "Settings", los tiene todos.',
        en: 'Correct the name: docs/operating.md, "Settings", has all.',
      },
    );
  };
}

export const mail: Check = async ({ settings: { alerts }, sends }) => {
  if (!alerts.mail)
    return unknown({
      es: 'Correo: no está puesto (SMTP_URL y ALERT_MAIL).',
      en: 'Mail: not set up (SMTP_URL and ALERT_MAIL).',
    });
  const { url, to, from } = alerts.mail;
  const transport = createTransport({
    url,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  });
  try {
    if (!sends) {
      await transport.verify();
      return well({
        es: 'Correo: el servidor lo acepta (con --send se envía una prueba).',
        en: 'Mail: the server takes it (--send sends a test).',
      });
    }
    const { accepted, rejected } = await transport.sendMail({
      from,
      to,
      subject: localize({ es: 'Prueba de AeroPuente', en: 'A test of AeroPuente' }),
      text: localize({ es: 'El correo de los avisos llega.\n', en: 'Mail of the alerts arrives.\n' }),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    if (rejected.length > 0) throw new Error(`${rejected.join(', ')}: ${localize({ es: 'rechazado', en: 'refused' })}`);
    return well({
      es: `Correo: prueba enviada a ${accepted.join(', ')}.`,
      en: `Mail: a test was sent to ${accepted.join(', ')}.`,
    });
  } catch (error) {
    return fault(
      { es: `Correo: no se puede enviar (${messageOf(error)}).`, en: `Mail: it cannot be sent (${messageOf(error)}).` },
      {
        es: 'Revise SMTP_URL (usuario, contraseña con %40 por @, puerto 465 con smtps) y ALERT_MAIL; muchos proveedores cierran el puerto 25.',
        en: 'Look at SMTP_URL (user, password with %40 for @, port 465 with smtps) and ALERT_MAIL; many providers close port 25.',
      },
    );
  } finally {
    transport.close();
  }
};

export const push: Check = async ({ settings }) => {
  try {
    const api = await openAlerts(settings, undefined);
    try {
      const devices = (await api.devices()).length;
      if (devices > 0)
        return well({ es: `Avisos: activados en ${devices} equipos.`, en: `Alerts: on on ${devices} devices.` });
      if (settings.alerts.mail) return well({ es: 'Avisos: sólo por correo.', en: 'Alerts: by mail alone.' });
    } finally {
      await api.close();
    }
  } catch (error) {
    return unknown({
      es: `Avisos: no se pudo ver (${messageOf(error)}).`,
      en: `Alerts: not seen (${messageOf(error)}).`,
    });
  }
  return fault(
    {
      es: 'Avisos: ningún equipo los tiene, y no hay correo.',
      en: 'Alerts: on on no device, and there is no mailbox.',
    },
    {
      es: 'En la mesa: ☰, "Avisos", "Avisos en este equipo"; o SMTP_URL y ALERT_MAIL.',
      en: 'In the desk: ☰, "Avisos", "Avisos en este equipo"; or SMTP_URL and ALERT_MAIL.',
    },
  );
};

export const backup: Check = async ({ settings: { backups, database, hosted }, now }) => {
  if (database || hosted)
    return unknown({ es: 'Respaldos: los hace quien tiene la base.', en: 'Backups: made by who has the database.' });
  if (!backups)
    return fault(
      { es: 'Respaldos: ninguno (BACKUP_DIR no está puesto).', en: 'Backups: none (BACKUP_DIR is not set).' },
      {
        es: 'BACKUP_DIR en los ajustes, en otro disco; systemctl restart aeropuente',
        en: 'BACKUP_DIR in the settings, on another disk; systemctl restart aeropuente',
      },
    );
  const newest = newestBackup(backups.folder);
  const hours = newest ? Math.floor((now() - newest.at.getTime()) / 3_600_000) : Infinity;
  if (!newest || hours * 3_600_000 > 2 * backups.everyMs)
    return fault(
      newest
        ? { es: `Respaldos: el más nuevo es de hace ${hours} h.`, en: `Backups: the newest is ${hours} h old.` }
        : { es: `Respaldos: no hay ninguno en ${backups.folder}.`, en: `Backups: there is none in ${backups.folder}.` },
      {
        es: 'aeropuente logs | grep "NO BACKUP" dice por qué; uno a mano: aeropuente backup',
        en: 'aeropuente logs | grep "NO BACKUP" says why; one by hand: aeropuente backup',
      },
    );
  try {
    const { quotes } = await tryBackup(newest.file);
    return well({
      es: `Respaldos: el de hace ${hours} h se recuperó de prueba (${quotes} cotizaciones).`,
      en: `Backups: the one of ${hours} h ago was brought back as a trial (${quotes} quotes).`,
    });
  } catch (error) {
    return fault(
      { es: `Respaldos: ${messageOf(error)}`, en: `Backups: ${messageOf(error)}` },
      {
        es: 'Haga otro ahora: aeropuente backup; y revise ese disco.',
        en: 'Make another now: aeropuente backup; and look at that disk.',
      },
    );
  }
};

const releaseSchema = z.object({ version: z.string().regex(/^\d+\.\d+\.\d+/) });

/** The newest release, of which RELEASE_URL has the `release.json`. */
export const newer: Check = async ({ settings: { releaseUrl }, fetch }) => {
  if (!releaseUrl)
    return unknown({
      es: 'Versión más nueva: RELEASE_URL no está puesto.',
      en: 'Newer release: RELEASE_URL is not set.',
    });
  const [own = ''] = nameOfRelease().split(' ');
  try {
    const response = await fetch(releaseUrl, { signal: AbortSignal.timeout(PATIENCE) });
    const { version } = releaseSchema.parse(await response.json());
    if (version.localeCompare(own, undefined, { numeric: true }) <= 0)
      return well({ es: `Versión: ${own}, la más nueva.`, en: `Release: ${own}, the newest.` });
    return fault(
      {
        es: `Versión: ésta es ${own}; la más nueva, ${version}.`,
        en: `Release: this is ${own}; the newest, ${version}.`,
      },
      { es: 'docs/operar.md, "Una versión nueva".', en: 'docs/operar.md, "Una versión nueva".' },
    );
  } catch (error) {
    return unknown({
      es: `Versión más nueva: no se pudo ver (${messageOf(error)}).`,
      en: `Newer release: not seen (${messageOf(error)}).`,
    });
  }
};
