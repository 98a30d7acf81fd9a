import { deskFailures } from '../../content/desk-failures.ts';
import { deskMany as words } from '../../content/desk-many.ts';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import type { LostReason } from '../../lead/vocabulary.ts';
import { DONE, type ActionResult } from '../api/action-result.ts';
import { reopen, take } from '../api/lead-changes.ts';
import { leadById } from '../api/lead-feed.ts';
import type { Person } from '../api/person.ts';
import { handOver, lose, release } from '../lead/lead-actions.ts';
import { isClosed, isToBook, ownerOf, type Lead } from '../lead/lead.ts';

export type BulkAction =
  | { readonly kind: 'take' }
  | { readonly kind: 'hand'; readonly heir: string | null }
  | {
      readonly kind: 'lose';
      readonly reason: LostReason;
      readonly note: { readonly id: string; readonly word: string };
    };

export interface Failure {
  readonly lead: Lead;
  readonly says: Text;
}

/** Number of parallel requests; each changes one lead. */
const AT_ONCE = 4;

/** Reason why the action is not allowed for a lead; undefined if it is. */
export function refusalOf({ kind }: BulkAction, lead: Lead, me: Person): Text | undefined {
  if (isClosed(lead)) return words.closed;
  if (kind === 'lose' && isToBook(lead)) return deskFailures.conflict.accepted;
  if (lead.assignee === me.id || (kind === 'hand' && me.isSupervisor)) return undefined;
  if (lead.assignee) return words.owned(ownerOf(lead, me.id));
  return kind === 'hand' ? words.takeFirst : undefined;
}

/** Runs the action for one lead. A lead without an owner is taken before it is closed. */
async function doOne(many: BulkAction, lead: Lead, me: Person): Promise<ActionResult> {
  const refusal = refusalOf(many, lead, me);
  if (refusal) return { kind: 'conflict', says: refusal };
  if (many.kind === 'hand') return handOver(lead, many.heir);
  const taken = lead.assignee ? DONE : await take(lead, me.id);
  if (many.kind === 'take' || taken.kind !== 'done') return taken;
  // The id of the note combines both ids: different for each lead, the same for a repeated press.
  const note = { ...many.note, id: many.note.id.slice(0, 24) + lead.quote_id.slice(24) };
  return lose(newest(lead), many.reason, note);
}

/** Restores a lead to its state before it was taken or closed. */
async function undoOne({ kind }: BulkAction, original: Lead, me: Person): Promise<ActionResult> {
  const result = kind === 'lose' ? await reopen(newest(original)) : DONE;
  return result.kind === 'done' && !original.assignee ? release(newest(original), me.id) : result;
}

const newest = (lead: Lead) => leadById(lead.quote_id) ?? lead;

/** Runs the action for each lead; returns those that failed, with the reason. */
export const runBulkAction = (many: BulkAction, leads: readonly Lead[], me: Person): Promise<readonly Failure[]> =>
  each(leads, (lead) => doOne(many, lead, me));

/** False if leads were handed over: they are then a colleague's. */
export const canUndo = ({ kind }: BulkAction): boolean => kind !== 'hand';
export const undoBulkAction = (many: BulkAction, originals: readonly Lead[], me: Person): Promise<readonly Failure[]> =>
  each(originals, (lead) => undoOne(many, lead, me));

export async function each(
  leads: readonly Lead[],
  work: (lead: Lead) => Promise<ActionResult>,
): Promise<readonly Failure[]> {
  const failures = new Map<string, Failure>();
  const left = [...leads];
  async function next(): Promise<void> {
    const lead = left.shift();
    if (!lead) return undefined;
    const result = await work(lead);
    if (result.kind !== 'done') failures.set(lead.quote_id, { lead, says: result.says });
    return next();
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return leads.flatMap(({ quote_id }) => failures.get(quote_id) ?? []);
}
