import type { Bilingual } from '../../content/bilingual.ts';
import { deskFailures as words } from '../../content/desk-failures.ts';
import { isLacking } from '../../lead/schema-version.ts';
import { Trouble } from './trouble.ts';

/** Result of an action, with the sentence for the person who started it. */
export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'unreachable' | 'refused' | 'conflict'; readonly says: Bilingual };

export const DONE: Ending = { kind: 'done' };
/** Code of the database for a row that another change has overtaken. */
const CONFLICT = 'PT409';

export const isConflict = (error: unknown): boolean => error instanceof Trouble && error.code === CONFLICT;

/** `onConflict`: the ending if somebody else was faster. */
export async function ending(work: () => Promise<Ending>, onConflict?: () => Promise<Ending>): Promise<Ending> {
  try {
    return await work();
  } catch (error) {
    if (onConflict && isConflict(error)) return ending(onConflict);
    return endOf(error);
  }
}

/** Ending of a failed request; any other error is thrown on. */
export function endOf(error: unknown, refused: Bilingual = words.failed): Ending {
  if (!(error instanceof Trouble)) throw error;
  if (error.kind === 'unreachable') return { kind: 'unreachable', says: words.notDone };
  return { kind: 'refused', says: isLacking(error.code) ? words.olderDatabase : refused };
}
