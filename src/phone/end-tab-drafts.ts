import { tryStorage } from './storage-access.ts';

/** Keys of unsent shipment details and questions in sessionStorage. */
const WRITTEN = /^aeropuente\.(details|question)/;

/**
 * Deletes unsent shipment details and questions. This file is separate from tab-draft.ts, which loads only with the
 * forms for them.
 */
export function endTabDrafts(): void {
  tryStorage(() => {
    for (const key of Object.keys(sessionStorage)) if (WRITTEN.test(key)) sessionStorage.removeItem(key);
  });
}
