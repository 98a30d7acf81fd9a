import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';
import { claims } from './claims.ts';

/** Words of figures, backups, alerts and downloads. */
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
  none: { es: 'sin datos todavía', en: 'nothing to count yet' },
  byHour: {
    es: 'Por hora de llegada en Tijuana, 30 días: a tiempo y fuera de plazo',
    en: 'By hour of arrival in Tijuana, 30 days: answered in time, and late',
  },
  alerts: (sent: number, shown: number, taken: number): Bilingual => ({
    es: `avisos enviados ${sent} · vistos ${shown} · atendidos ${taken}`,
    en: `alerted ${sent} · shown ${shown} · taken ${taken}`,
  }),
  hour: (hour: string, met: number, asked: number) => `${hour} h: ${met} de ${asked}`,
  what: {
    es: 'Cuenta lo respondido y lo vencido. Una respuesta fuera de plazo cuenta siempre así.',
    en: 'It counts what was answered and what is overdue. A late answer stays late.',
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
        `El envío de avisos no responde desde ${since.replace(/^01:/, 'la $&').replace(/^\d/, 'las $&')}. Avise a su administrador.`,
      (since) => `What sends alerts has not answered since ${since.replace(/^on /, '')}. Tell your administrator.`,
    ),
    never: {
      es: 'El envío de avisos no ha respondido nunca. Avise a su administrador.',
      en: 'What sends alerts has never answered. Tell your administrator.',
    },
  },
  csv: { es: 'Descargar lo filtrado (CSV)', en: 'Download what is filtered (CSV)' },
  exports: {
    title: { es: 'Descargas', en: 'Downloads' },
    one: (who: string, when: string, rows: number): Bilingual => ({
      es: `${who}, ${when}: ${rows} ${rows === 1 ? 'fila' : 'filas'}`,
      en: `${who}, ${when}: ${rows} ${rows === 1 ? 'row' : 'rows'}`,
    }),
    terminal: { es: 'la terminal', en: 'the terminal' },
    failed: {
      es: 'No se pudo registrar la descarga, y sin registro no hay archivo. Intente de nuevo.',
      en: 'The download could not be noted, and without that there is no file. Try again.',
    },
    askSupervisor: { es: 'La descarga (CSV) la hace un supervisor.', en: 'Supervisors download the CSV.' },
  },
} as const;
