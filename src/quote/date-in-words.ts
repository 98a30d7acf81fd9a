import type { Bilingual } from '../content/bilingual.ts';
import { days } from '../content/quote-states.ts';

const DAY = 24 * 60 * 60_000;
const timeZone = 'America/Tijuana';
const time = new Intl.DateTimeFormat('es-MX', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });

export const timeInTijuana = (at: number): string => time.format(at);

/** A moment as people say it, where the people are who answer: 'hoy 16:03', 'el 2 de noviembre, 16:03'. */
export function dateInWords(at: number, now: number): Bilingual {
  const isThisYear = year.format(at) === year.format(now);
  const dayOf = (moment: number, language: string) =>
    new Intl.DateTimeFormat(language, {
      day: 'numeric',
      month: 'long',
      ...(isThisYear ? {} : { year: 'numeric' }),
      timeZone,
    }).format(moment);
  const inSpanish = dayOf(at, 'es-MX');
  if (inSpanish === dayOf(now, 'es-MX')) return days.today(time.format(at));
  if (inSpanish === dayOf(now - DAY, 'es-MX')) return days.yesterday(time.format(at));
  return days.other({ es: inSpanish, en: dayOf(at, 'en-GB') }, time.format(at));
}
