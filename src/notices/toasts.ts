import type { Bilingual } from '../content/bilingual.ts';
import { createStore } from '../ui/create-store.ts';

export interface Toast {
  readonly id: symbol;
  readonly type: 'success' | 'error' | 'info';
  readonly text: Bilingual;
  readonly duration: number;
  /** True just before this toast is removed, because it is the oldest and at most three are shown. */
  readonly leaving: boolean;
  /** Subject of the toast. A newer toast about the same subject replaces this toast. */
  readonly about?: string | undefined;
  readonly action?: { readonly label: Bilingual; readonly run: () => void };
}

const DURATION = 5000;
export const FORM_DURATION = 8000;
const MOST = 3;
const LEAVING = 100;

export const toasts = createStore<readonly Toast[]>([]);

export function toast(
  text: Bilingual,
  options: Partial<Pick<Toast, 'type' | 'duration' | 'action' | 'about'>> = {},
): symbol {
  const id = Symbol();
  if (options.about) withdraw(options.about);
  toasts.set([...toasts.read(), { id, text, type: 'info', duration: DURATION, leaving: false, ...options }]);
  const tooMany = toasts
    .read()
    .filter(({ leaving }) => !leaving)
    .slice(0, -MOST);
  for (const { id: old } of tooMany) {
    toasts.set(toasts.read().map((other) => (other.id === old ? { ...other, leaving: true } : other)));
    setTimeout(() => dismiss(old), LEAVING);
  }
  return id;
}

export const whenGone = (id: symbol): Promise<void> =>
  new Promise((resolve) => {
    const stop = toasts.subscribe(() => {
      if (toasts.read().some((other) => other.id === id)) return;
      stop();
      resolve();
    });
  });

export function dismiss(id: symbol): void {
  toasts.set(toasts.read().filter((other) => other.id !== id));
}

/** Removes the toasts about a subject, because they are outdated. */
export function withdraw(about: string): void {
  toasts.set(toasts.read().filter((other) => other.about !== about));
}
