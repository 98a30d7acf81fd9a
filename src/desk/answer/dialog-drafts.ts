import { useState } from 'react';
import { createStore } from '../../ui/create-store.ts';

/** Drafts by the name of their dialog or form. They are kept only in memory, because they contain personal data. */
const dialogDrafts = new Map<string, unknown>();
const writer = createStore('');

export const forgetDialogDrafts = (): void => dialogDrafts.clear();

/** Forgets all drafts if somebody other than their author signs in. */
export function forgetDialogDraftsOfOthers(me: string): void {
  if (me !== writer.read()) forgetDialogDrafts();
  writer.set(me);
}

/**
 * Returns the draft of a dialog or form, with functions to change and to drop the draft. The draft stays when Escape
 * closes the dialog or the desk locks.
 */
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
