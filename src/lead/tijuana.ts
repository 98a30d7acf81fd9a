// Times and days in Tijuana, where the sales team works.

const DAY = 24 * 60 * 60_000;
export const timeZone = 'America/Tijuana';
const time = new Intl.DateTimeFormat('es-MX', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
/** Format of days. The locale is Swedish because it writes dates in ISO format. */
const isoDay = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });

const hour = new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone });

export const hourInTijuana = (at: number): number => Number(hour.format(at));

export const timeInTijuana = (at: number): string => time.format(at);

export const dayInTijuana = (at: number): string => isoDay.format(at);

/** True if the day is over in Tijuana. An offer is valid until the end of its last day in Tijuana. */
export const isPast = (day: string, at: number): boolean => day < dayInTijuana(at);

/**
 * Returns the day before today in Tijuana. Counts back from noon, because days have 23 or 25 hours when the clocks
 * change.
 */
export const dayBefore = (now: number): string => dayInTijuana(Date.parse(`${dayInTijuana(now)}T20:00Z`) - DAY);
