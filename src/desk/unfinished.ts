import { useState } from 'react';

/** By dialog. In memory alone: what is written in them names people, and is of no lead yet. */
const unfinished = new Map<string, unknown>();
let writer = '';

export const forgetUnfinished = (): void => unfinished.clear();

/** Whoever comes back after the lock goes on. */
export function forgetUnfinishedOfOthers(me: string): void {
  if (me !== writer) forgetUnfinished();
  writer = me;
}

/** What is written in a dialog: there again when that is, whether Escape or the lock has closed it, until it is ended. */
export function useUnfinished<Written>(dialog: string, nothing: () => Written) {
  const [written, setWritten] = useState(() => (unfinished.get(dialog) as Written | undefined) ?? nothing());
  const write = (next: Written) => {
    unfinished.set(dialog, next);
    setWritten(next);
  };
  const end = () => {
    unfinished.delete(dialog);
    setWritten(nothing());
  };
  return [written, write, end] as const;
}
