import { createStore } from '../ui/create-store.ts';

/** Work that a reload would interrupt. */
export type Work = 'form' | 'reply' | 'sending' | 'call';

/** The work that is going on now. */
export const works = createStore<readonly Work[]>([]);

export function setBusy(work: Work, busy: boolean): void {
  const others = works.read().filter((other) => other !== work);
  if (works.read().includes(work) !== busy) works.set(busy ? [...others, work] : others);
}
