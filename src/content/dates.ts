import { dayBefore, dayInTijuana, timeInTijuana, timeZone } from '../lead/tijuana.ts';
import type { Bilingual } from './bilingual.ts';
import { days } from './quote-states.ts';
import { isDay } from '../lead/bounds.ts';

const year = new Intl.DateTimeFormat('en', { year: 'numeric', timeZone });

/** Writes a time of Tijuana: 'hoy a las 16:03', 'el 2 de noviembre a las 16:03'. */
export function dateInWords(at: number, now: number): Bilingual {
  if (isToday(at, now)) return days.today(timeInTijuana(at));
  if (dayInTijuana(at) === dayBefore(now)) return days.yesterday(timeInTijuana(at));
  return days.other(dayOf(at, now), timeInTijuana(at));
}

const isToday = (at: number, now: number) => dayInTijuana(at) === dayInTijuana(now);

/** Writes a time for the middle of a sentence: without 'hoy' if it is today ('a las 16:03'). */
export function momentInWords(at: number, now: number): Bilingual {
  return isToday(at, now) ? days.hour(timeInTijuana(at)) : dateInWords(at, now);
}

/** Writes a time only as digits if it is today ('16:03'); otherwise date and time. */
export function timeOrDate(at: number, now: number): Bilingual {
  return isToday(at, now) ? { es: timeInTijuana(at), en: timeInTijuana(at) } : dateInWords(at, now);
}

/** Writes a day: 2026-11-28 becomes '28 de noviembre'. A text in another format stays as it is. */
export function dayInWords(day: string, now: number): Bilingual {
  if (!isDay(day)) return { es: day, en: day };
  // 20:00 UTC is on the same calendar day everywhere in Mexico, even in Tijuana, in its westernmost time zone.
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
