import { tryStorage } from '../../phone/storage-access.ts';

/** Where a browser keeps nothing, it lasts until the page is left. */
const memory = new Map<string, string>();

/** A value that was cut off is undefined, and the page goes on without it. */
export const readJson = (text: string | null): unknown => tryStorage(() => JSON.parse(text ?? 'null') ?? undefined);

/** The state of this tab: the session and what is being written. It ends with the tab. */
export const tabStorage = {
  getItem: (key: string): string | null => tryStorage(() => sessionStorage.getItem(key)) ?? memory.get(key) ?? null,
  setItem(key: string, value: string): void {
    if (tryStorage(() => sessionStorage.setItem(key, value) ?? true)) memory.delete(key);
    else memory.set(key, value);
  },
  removeItem(key: string): void {
    memory.delete(key);
    tryStorage(() => sessionStorage.removeItem(key));
  },
  keys: (): readonly string[] => [...(tryStorage(() => Object.keys(sessionStorage)) ?? []), ...memory.keys()],
};
