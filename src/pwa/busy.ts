/** What a reload would interrupt. */
export type Work = 'form' | 'sending' | 'call';

const works = new Set<Work>();
const listeners = new Set<() => void>();

export const isBusy = (): boolean => works.size > 0;

export function setBusy(work: Work, busy: boolean): void {
  if (works.has(work) === busy) return;
  if (busy) works.add(work);
  else works.delete(work);
  for (const listener of listeners) listener();
}

export function watchBusy(listener: () => void): void {
  listeners.add(listener);
}
