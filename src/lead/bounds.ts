/** Limits of texts, prices and days. The database enforces the same limits (…_bounds.sql). */
export const LONGEST = {
  answer: 4000,
  note: 4000,
  question: 2000,
  colleague: 100,
  move: 500,
  reference: 40,
  template: 60,
} as const;

/**
 * Pattern of a visible character. Spaces, control characters, ignorable characters and the empty Braille pattern are
 * invisible.
 */
const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{DI}\u2800\ufff9-\ufffb]/u;

export const hasText = (text: string): boolean => VISIBLE_CHARACTER.test(text);

const PRICE = /^\d{1,9}(\.\d{1,2})?$/;

/** True for a decimal number from 0.01 to 999,999,999.99. Number() alone would also accept 0x10 and 1e3. */
export const isPrice = (text: string): boolean => PRICE.test(text) && Number(text) > 0;

/**
 * True for a calendar day such as 2026-11-28. The check is needed because PostgreSQL also accepts 'infinity' and the
 * year 10000.
 */
export function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  // Some browsers read February 30 as a day in March, so the result is compared with the text.
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
