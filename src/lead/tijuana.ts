// The clock of the people who answer, wherever this runs.

const DAY = 24 * 60 * 60_000;
export const timeZone = 'America/Tijuana';
const time = new Intl.DateTimeFormat('es-MX', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
/** Sweden writes dates as databases do. */
const isoDay = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });

const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone });

/** From 0 to 23. */
export const hourInTijuana = (at: number): number => Number(hour.format(at));

export const timeInTijuana = (at: number): string => time.format(at);

/** As 2026-11-28. */
export const dayInTijuana = (at: number): string => isoDay.format(at);

/** A last day counts, where it ends for the people who gave it. */
export const isPast = (day: string, at: number): boolean => day < dayInTijuana(at);

/** From noon to noon: where the clocks change, a day has 23 hours or 25. */
export const dayBefore = (now: number): string => dayInTijuana(Date.parse(`${dayInTijuana(now)}T20:00Z`) - DAY);
