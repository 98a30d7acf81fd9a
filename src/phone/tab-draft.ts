import { isRecord, type Loose } from '../lead/shape.ts';
import { tryStorage } from './storage-access.ts';

// sessionStorage: it outlives a reload, and a tab that was put aside, as what stands in the fields of a page does.

/** What is being written of a quote that was sent. */
type Kind = 'details' | 'question';

// `endTabDrafts` knows the kinds.
const keyOf = (kind: Kind, id: string) => `aeropuente.${kind}.${id}`;

/** `id`: of the quote. */
export function readTabDraft(kind: Kind, id: string): Loose | undefined {
  const kept = tryStorage(() => JSON.parse(sessionStorage.getItem(keyOf(kind, id)) ?? 'null') as unknown);
  return isRecord(kept) ? kept : undefined;
}

export function saveTabDraft(kind: Kind, id: string, written: Loose): void {
  tryStorage(() => sessionStorage.setItem(keyOf(kind, id), JSON.stringify(written)));
}

export function endTabDraft(kind: Kind, id: string): void {
  tryStorage(() => sessionStorage.removeItem(keyOf(kind, id)));
}
