import { tryStorage } from './storage-access.ts';

/** Keys of unsent details and questions. */
const WRITTEN = /^aeropuente\.(details|question)/;

/** Separate from tab-draft.ts, because no such form need be loaded. */
export function endTabDrafts(): void {
  tryStorage(() => {
    for (const key of Object.keys(sessionStorage)) if (WRITTEN.test(key)) sessionStorage.removeItem(key);
  });
}
