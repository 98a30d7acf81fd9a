import { useState } from 'react';

/** By dialog, or form of a lead. In memory alone: what is written in them names people. */
const unfinished = new Map<string, unknown>();
let writer = '';

export const forgetUnfinished = (): void => unfinished.clear();

/** Whoever comes back after the lock goes on. */
export function forgetUnfinishedOfOthers(me: string): void {
  if (me !== writer) forgetUnfinished();
  writer = me;
}

/** What is written somewhere: there again when that is, whether Escape or the lock has closed it, until it is ended. */
export function useUnfinished<Written>(where: string, nothing: () => Written) {
  const [written, setWritten] = useState(() => (unfinished.get(where) as Written | undefined) ?? nothing());
  const write = (next: Written) => {
    unfinished.set(where, next);
    setWritten(next);
  };
  const end = () => {
    unfinished.delete(where);
    setWritten(nothing());
  };
  return [written, write, end] as const;
}
