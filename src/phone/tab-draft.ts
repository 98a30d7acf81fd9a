import { isRecord, type UnknownRecord } from '../lead/validation.ts';
import { persisted, type Persisted } from './persisted.ts';

const readRecord = (stored: unknown) => (isRecord(stored) ? stored : undefined);

/**
 * Unsent shipment details or an unsent question. They are in sessionStorage, which survives reloads and suspended tabs.
 * `endTabDrafts` finds them by their keys.
 */
export const tabDraft = (kind: 'details' | 'question', quoteId: string): Persisted<UnknownRecord> =>
  persisted(`aeropuente.${kind}.${quoteId}`, readRecord, () => sessionStorage);
