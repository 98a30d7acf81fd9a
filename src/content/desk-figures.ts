import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';
import { claims } from './claims.ts';

/** Texts about figures, backups, alerts and downloads. */
export const deskFigures = {
  open: { es: 'Indicadores', en: 'Figures' },
  title: { es: `Cumplimiento de las ${claims.response}`, en: `Answers within ${claims.response}` },
  today: { es: 'Hoy', en: 'Today' },
  week: { es: '7 días', en: '7 days' },
  month: { es: '30 días', en: '30 days' },
  met: (met: number, asked: number): Bilingual => ({
    es: `${met} de ${asked} en ${claims.response}`,
    en: `${met} of ${asked} within ${claims.response}`,
  }),
  median: (time: string): Bilingual => ({ es: `mediana ${time}`, en: `median ${time}` }),
  none: { es: 'sin datos todavía', en: 'no data yet' },
  byHour: {
    es: 'Por hora de llegada en Tijuana, 30 días: a tiempo y fuera de plazo',
    en: 'By hour of arrival in Tijuana, 30 days: answered in time, and late',
  },
  alerts: (sent: number, shown: number, taken: number): Bilingual => ({
    es: `avisos enviados ${sent} · vistos ${shown} · atendidos ${taken}`,
    en: `alerts sent ${sent} · seen ${shown} · handled ${taken}`,
  }),
  hour: (hour: string, met: number, asked: number) => `${hour} h: ${met} de ${asked}`,
  what: {
    es: 'Incluye lo respondido y lo vencido. Una respuesta fuera de plazo siempre cuenta como tal.',
    en: 'Includes what was answered and what is overdue. A late answer always counts as late.',
  },
  backup: {
    made: (ago: string): Bilingual => ({ es: `Último respaldo: hace ${ago}.`, en: `Last backup: ${ago} ago.` }),
    failing: (ago: string): Bilingual => ({
      es: `EL RESPALDO FALLA: el último es de hace ${ago}. Avise a su administrador.`,
      en: `BACKUPS FAIL: the last is from ${ago} ago. Tell your administrator.`,
    }),
    never: {
      es: 'NO HAY RESPALDO. Avise a su administrador.',
      en: 'THERE IS NO BACKUP. Tell your administrator.',
    },
  },
  sender: {
    late: sentence<[since: Bilingual]>(
      (since) =>
        `El envío de avisos no responde desde ${since.replace(/^a las 01:/, 'la 01:').replace(/^a las/, 'las')}. Avise a su administrador.`,
      (since) => `Alert sending has not responded since ${since.replace(/^(?:on|at) /, '')}. Tell your administrator.`,
    ),
    never: {
      es: 'El envío de avisos nunca ha respondido. Avise a su administrador.',
      en: 'Alert sending has never responded. Tell your administrator.',
    },
  },
  csv: { es: 'Descargar las filtradas (CSV)', en: 'Download the filtered ones (CSV)' },
  exports: {
    title: { es: 'Descargas', en: 'Downloads' },
    one: (who: string, when: string, rows: number): Bilingual => ({
      es: `${who}, ${when}: ${rows} ${rows === 1 ? 'fila' : 'filas'}`,
      en: `${who}, ${when}: ${rows} ${rows === 1 ? 'row' : 'rows'}`,
    }),
    terminal: { es: 'la terminal', en: 'the terminal' },
    failed: {
      es: 'No se pudo registrar la descarga, así que no se creó el archivo. Intente de nuevo.',
      en: 'The download could not be recorded, so no file was made. Try again.',
    },
    askSupervisor: { es: 'Sólo un supervisor puede descargar el CSV.', en: 'Only a supervisor can download the CSV.' },
  },
} as const;
