import { isRecord, type UnknownRecord } from '../lead/validation.ts';
import { persisted, type Persisted } from './persisted.ts';

const readRecord = (stored: unknown) => (isRecord(stored) ? stored : undefined);

/**
 * Unsent details or question about a quote. Stored in sessionStorage, which survives reloads and suspended tabs.
 * `endTabDrafts` finds the drafts by their keys.
 */
export const tabDraft = (kind: 'details' | 'question', quoteId: string): Persisted<UnknownRecord> =>
  persisted(`aeropuente.${kind}.${quoteId}`, readRecord, () => sessionStorage);
