import { tryStorage } from './storage-access.ts';

/** Keys of what is being written to any quote. */
const WRITTEN = /^aeropuente\.(details|question)/;

/** Apart from the rest of tab-draft.ts: no form need be open that was being written in. */
export function endTabDrafts(): void {
  tryStorage(() => {
    for (const key of Object.keys(sessionStorage)) if (WRITTEN.test(key)) sessionStorage.removeItem(key);
  });
}
