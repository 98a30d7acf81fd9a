import type { Bilingual } from '../content/bilingual.ts';

export interface Toast {
  readonly id: number;
  readonly type: 'success' | 'error' | 'info';
  readonly text: Bilingual;
  readonly duration: number;
  /** The oldest goes shortly after a fourth arrived. */
  readonly leaving: boolean;
  readonly action?: { readonly label: Bilingual; readonly run: () => void };
}

const DURATION = 5000;
export const FORM_DURATION = 8000;
const MOST = 3;
const LEAVING = 100;

let toasts: readonly Toast[] = [];
/** A modal dialog makes the rest of the page inert: while one is open, toasts are shown in it. */
let places: readonly string[] = [];
let count = 0;
const listeners = new Set<() => void>();

export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => toasts,
  place: () => places.at(-1),
  /** From now on toasts are shown here, until the place is left. */
  enter: (place: string) => {
    places = [...places, place];
    notify();
    return () => {
      places = places.filter((other) => other !== place);
      notify();
    };
  },
};

export function toast(text: Bilingual, options: Partial<Pick<Toast, 'type' | 'duration' | 'action'>> = {}): number {
  count += 1;
  const id = count;
  set([...toasts, { id, text, type: 'info', duration: DURATION, leaving: false, ...options }]);
  const oldest = toasts.filter(({ leaving }) => !leaving).slice(0, -MOST);
  for (const { id: old } of oldest) {
    set(toasts.map((other) => (other.id === old ? { ...other, leaving: true } : other)));
    setTimeout(() => dismiss(old), LEAVING);
  }
  return id;
}

export function dismiss(id: number): void {
  set(toasts.filter((other) => other.id !== id));
}

function set(next: readonly Toast[]): void {
  toasts = next;
  notify();
}

function notify(): void {
  for (const listener of listeners) listener();
}
