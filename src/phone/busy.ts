import { createStore } from '../ui/create-store.ts';

export type Work = 'form' | 'reply' | 'sending' | 'call';

export const works = createStore<readonly Work[]>([]);

export function setBusy(work: Work, busy: boolean): void {
  const others = works.read().filter((other) => other !== work);
  if (works.read().includes(work) !== busy) works.set(busy ? [...others, work] : others);
}
