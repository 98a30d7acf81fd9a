let ahead = 0;

/** Sets the clock by the date header of an answer. The header has whole seconds, so the middle of the second counts. */
export function setServerClock(date: string | null): void {
  const at = Date.parse(date ?? '');
  if (at) ahead = at + 500 - Date.now();
}

/** The server's time, which decides what is late: a computer's own clock may be minutes off. */
export const serverNow = (): number => Date.now() + ahead;
