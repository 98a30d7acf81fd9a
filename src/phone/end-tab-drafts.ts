import { tryStorage } from './storage-access.ts';

/** Keys under which unsent details and questions are stored. */
const WRITTEN = /^aeropuente\.(details|question)/;

/** Deletes unsent details and questions. Separate from tab-draft.ts, whose code loads only with their forms. */
export function endTabDrafts(): void {
  tryStorage(() => {
    for (const key of Object.keys(sessionStorage)) if (WRITTEN.test(key)) sessionStorage.removeItem(key);
  });
}
