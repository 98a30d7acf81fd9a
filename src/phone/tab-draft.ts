import { isRecord, type Loose } from '../lead/shape.ts';
import { ERASED } from './draft.ts';
import { tryStorage } from './storage-access.ts';

// sessionStorage: it outlives a reload, and a tab that was put aside, as what stands in the fields of a page does.

/** What is being written of a quote that was sent. */
const KINDS = ['details', 'question'] as const;
type Kind = (typeof KINDS)[number];

const keyOf = (kind: Kind) => `aeropuente.${kind}`;

/** `id`: of the quote. */
export function readTabDraft(kind: Kind, id: string): Loose | undefined {
  const kept = tryStorage(() => JSON.parse(sessionStorage.getItem(keyOf(kind)) ?? 'null') as unknown);
  return isRecord(kept) && kept['id'] === id && isRecord(kept['written']) ? kept['written'] : undefined;
}

export function saveTabDraft(kind: Kind, id: string, written: Loose): void {
  tryStorage(() => sessionStorage.setItem(keyOf(kind), JSON.stringify({ id, written })));
}

export function endTabDraft(kind: Kind): void {
  tryStorage(() => sessionStorage.removeItem(keyOf(kind)));
}

export const endTabDrafts = (): void => KINDS.forEach(endTabDraft);

// Another tab has erased everything; no form need be open here that was being written in.
addEventListener('storage', ({ key }) => {
  if (key === ERASED) endTabDrafts();
});
