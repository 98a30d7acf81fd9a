import type { Bilingual } from '../../content/bilingual.ts';
import { deskFailures as words } from '../../content/desk-failures.ts';
import { isLacking } from '../../lead/schema-version.ts';
import { RequestError } from './request-error.ts';

/** Result of an action; a failure has the sentence for the person who started the action. */
export type ActionResult =
  | { readonly kind: 'done' }
  | { readonly kind: 'unreachable' | 'refused' | 'conflict'; readonly says: Bilingual };

export const DONE: ActionResult = { kind: 'done' };
/** Error code of the database when somebody else has changed the row in the meantime. */
const CONFLICT = 'PT409';

export const isConflict = (error: unknown): boolean => error instanceof RequestError && error.code === CONFLICT;

/**
 * Runs an action, and turns a failed request into a result. `onConflict` makes the result if somebody else has changed
 * the row.
 */
export async function resultOf(
  work: () => Promise<ActionResult>,
  onConflict?: () => Promise<ActionResult>,
): Promise<ActionResult> {
  try {
    return await work();
  } catch (error) {
    if (onConflict && isConflict(error)) return resultOf(onConflict);
    return failedResult(error);
  }
}

/** Turns a failed request into a result. An error of another kind is a fault of the program, so it is thrown again. */
export function failedResult(error: unknown, refused: Bilingual = words.failed): ActionResult {
  if (!(error instanceof RequestError)) throw error;
  if (error.kind === 'unreachable') return { kind: 'unreachable', says: words.notDone };
  return { kind: 'refused', says: isLacking(error.code) ? words.olderDatabase : refused };
}
