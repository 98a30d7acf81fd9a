import type { Bilingual } from '../content/bilingual.ts';
import { days } from '../content/quote-states.ts';

const DAY = 24 * 60 * 60_000;
const timeZone = 'America/Tijuana';
const time = new Intl.DateTimeFormat('es-MX', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });
/** Sweden writes dates as databases do. */
const isoDay = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });

export const timeInTijuana = (at: number): string => time.format(at);

/** As 2026-11-28. */
export const dayInTijuana = (at: number): string => isoDay.format(at);

/** From noon to noon: where the clocks change, a day has 23 hours or 25. */
const dayBefore = (now: number): string => dayInTijuana(Date.parse(`${dayInTijuana(now)}T20:00Z`) - DAY);

/** A moment as people say it, where the people are who answer: 'hoy 16:03', 'el 2 de noviembre, 16:03'. */
export function dateInWords(at: number, now: number): Bilingual {
  if (dayInTijuana(at) === dayInTijuana(now)) return days.today(time.format(at));
  if (dayInTijuana(at) === dayBefore(now)) return days.yesterday(time.format(at));
  return days.other(dayOf(at, now), time.format(at));
}

/** The same without 'hoy', for a line that has more to say. */
export function momentInWords(at: number, now: number): Bilingual {
  const isToday = dayInTijuana(at) === dayInTijuana(now);
  return isToday ? { es: time.format(at), en: time.format(at) } : dateInWords(at, now);
}

/** A day such as 2026-11-28: '28 de noviembre'. */
export function dayInWords(day: string, now: number): Bilingual {
  // At its noon it is the same day in Tijuana.
  return dayOf(Date.parse(`${day}T20:00Z`), now);
}

function dayOf(at: number, now: number): Bilingual {
  const isThisYear = year.format(at) === year.format(now);
  const inLanguage = (language: string) =>
    new Intl.DateTimeFormat(language, {
      day: 'numeric',
      month: 'long',
      ...(isThisYear ? {} : { year: 'numeric' }),
      timeZone,
    }).format(at);
  return { es: inLanguage('es-MX'), en: inLanguage('en-GB') };
}
