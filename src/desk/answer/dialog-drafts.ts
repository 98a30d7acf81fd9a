import { useState } from 'react';

/** Unfinished dialogs and forms, by their name. In memory alone, because they name people. */
const dialogDrafts = new Map<string, unknown>();
let writer = '';

export const forgetDialogDrafts = (): void => dialogDrafts.clear();

/** Keeps the drafts of the person who signs in after a lock. */
export function forgetDialogDraftsOfOthers(me: string): void {
  if (me !== writer) forgetDialogDrafts();
  writer = me;
}

/** Draft of a dialog or form, which survives Escape and the lock. */
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
