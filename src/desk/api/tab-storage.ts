import { tryStorage } from '../../phone/storage-access.ts';

/** Fallback for a browser without sessionStorage. Its content is lost when the page closes. */
const memory = new Map<string, string>();

/** Storage of this tab for the session and the drafts. The browser deletes the storage with the tab. */
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
