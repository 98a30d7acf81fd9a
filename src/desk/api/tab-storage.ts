import { tryStorage } from '../../phone/storage-access.ts';

/** Fallback of a browser without storage; it lasts until the page is left. */
const memory = new Map<string, string>();

/** Reads a stored value; undefined if it is damaged. */
export const readJson = (text: string | null): unknown => tryStorage(() => JSON.parse(text ?? 'null') ?? undefined);

/** Session and drafts of this tab, which end with it. */
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
