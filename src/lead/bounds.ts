/** Which words, prices and days of a lead can be shown, and so be stored. The database has the same (…_bounds.sql). */
export const LONGEST = {
  answer: 4000,
  note: 4000,
  question: 2000,
  colleague: 100,
  move: 500,
  reference: 40,
  template: 60,
} as const;

/** Something that is seen: no space, no control, nothing that Unicode has a font leave out, no empty Braille. */
const SEEN = /[^\s\p{Cc}\p{DI}\u2800\ufff9-\ufffb]/u;

export const isSeen = (text: string): boolean => SEEN.test(text);

const PRICE = /^\d{1,9}(\.\d{1,2})?$/;

/** From 0.01 to 999,999,999.99, written plainly: 0x10 and 1e3 are numbers as well, and nobody means them. */
export const isPrice = (text: string): boolean => PRICE.test(text) && Number(text) > 0;

/** A day of the calendar as 2026-11-28: neither infinity nor the year 10000, which a database takes for one. */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // A browser may take the 30th of February for a day of March.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
