let asked = false;
const listeners = new Set<() => void>();

/** That the visitor asked to be called back. The form says so, whether it wakes before that or after. */
export const callBack = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: () => asked,
  ask: () => set(true),
  done: () => set(false),
};

function set(next: boolean): void {
  asked = next;
  for (const listener of listeners) listener();
}
