import { useState } from 'react';
import { createStore } from '../../ui/create-store.ts';

/** Drafts by the name of their dialog or form. They stay in memory only, because they have personal data. */
const dialogDrafts = new Map<string, unknown>();
/** Id of the person who wrote the drafts. */
const writer = createStore('');

export const forgetDialogDrafts = (): void => dialogDrafts.clear();

/** Forgets all drafts, unless the person who signs in is the one who wrote them. */
export function forgetDialogDraftsOfOthers(me: string): void {
  if (me !== writer.read()) forgetDialogDrafts();
  writer.set(me);
}

/** Draft of a dialog or form. Escape and a locked desk do not clear it. */
export function useDialogDraft<Draft>(where: string, nothing: () => Draft) {
  const [draft, setDraft] = useState(() => (dialogDrafts.get(where) as Draft | undefined) ?? nothing());
  const write = (next: Draft) => {
    dialogDrafts.set(where, next);
    setDraft(next);
  };
  const end = () => {
    dialogDrafts.delete(where);
    setDraft(nothing());
  };
  return [draft, write, end] as const;
}
