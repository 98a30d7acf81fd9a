function createServerClock() {
  let ahead = 0;
  return {
    /** Sets the clock by the date header of a response. The header has whole seconds, so half a second is added. */
    setServerClock: (date: string | null): void => {
      const at = Date.parse(date ?? '');
      if (at) ahead = at + 500 - Date.now();
    },
    /** Returns the server's time, which decides what is late: the clock of this computer may be minutes off. */
    serverNow: (): number => Date.now() + ahead,
  };
}

export const { setServerClock, serverNow } = createServerClock();
