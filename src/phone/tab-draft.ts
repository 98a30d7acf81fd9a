import { isRecord, type UnknownRecord } from '../lead/validation.ts';
import { persisted, type Persisted } from './persisted.ts';

const readRecord = (stored: unknown) => (isRecord(stored) ? stored : undefined);

/**
 * Unsent details or question of a quote. sessionStorage survives reloads and suspended tabs, as fields of a page do.
 * `endTabDrafts` matches the keys.
 */
export const tabDraft = (kind: 'details' | 'question', quoteId: string): Persisted<UnknownRecord> =>
  persisted(`aeropuente.${kind}.${quoteId}`, readRecord, () => sessionStorage);
