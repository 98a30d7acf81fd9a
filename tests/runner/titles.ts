const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);

/** As a word of `npm test`: the test of this title, and none whose title only begins or ends like it. */
export const wholeTitle = (title: string) => `^${title}$`;

/**
 * The tests in whose title all of these words stand, in any case. Both runners take it:
 * Playwright writes the engine and the file before a title, `Firefox ESR page.test.ts …`.
 */
export function titlePattern(words: readonly string[]): string {
  const each = words.map((word) => {
    const whole = /^\^(.*)\$$/s.exec(word)?.[1];
    return whole ? String.raw`(?=(?:.*\.test\.ts )?${escaped(whole)}$)` : `(?=.*(?i:${escaped(word)}))`;
  });
  return `^${each.join('')}`;
}

/** A word as a shell takes it. */
export function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
