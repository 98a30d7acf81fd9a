import { isRecord, type UnknownRecord } from '../lead/validation.ts';
import { tryStorage } from './storage-access.ts';

// sessionStorage survives reloads and suspended tabs, as fields of a page do.

type Kind = 'details' | 'question';

// `endTabDrafts` matches these keys.
const keyOf = (kind: Kind, id: string) => `aeropuente.${kind}.${id}`;

/** `id`: id of the quote. */
export function readTabDraft(kind: Kind, id: string): UnknownRecord | undefined {
  const stored = tryStorage(() => JSON.parse(sessionStorage.getItem(keyOf(kind, id)) ?? 'null') as unknown);
  return isRecord(stored) ? stored : undefined;
}

export function saveTabDraft(kind: Kind, id: string, draft: UnknownRecord): void {
  tryStorage(() => sessionStorage.setItem(keyOf(kind, id), JSON.stringify(draft)));
}

export function endTabDraft(kind: Kind, id: string): void {
  tryStorage(() => sessionStorage.removeItem(keyOf(kind, id)));
}
