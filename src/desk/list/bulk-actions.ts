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

/** Number of requests at the same time; each changes one lead. */
const AT_ONCE = 4;

/** Returns the reason why a lead cannot take part in the action; undefined if it can. */
export function refusalOf({ kind }: BulkAction, lead: Lead, me: Person): Text | undefined {
  if (isClosed(lead)) return words.closed;
  if (kind === 'lose' && isToBook(lead)) return deskFailures.conflict.accepted;
  if (lead.assignee === me.id || (kind === 'hand' && me.isSupervisor)) return undefined;
  if (lead.assignee) return words.owned(ownerOf(lead, me.id));
  return kind === 'hand' ? words.takeFirst : undefined;
}

/** Runs the action for one lead. To close a lead without an owner, this person takes it first. */
async function doOne(many: BulkAction, lead: Lead, me: Person): Promise<ActionResult> {
  const refusal = refusalOf(many, lead, me);
  if (refusal) return { kind: 'conflict', says: refusal };
  if (many.kind === 'hand') return handOver(lead, many.heir);
  const taken = lead.assignee ? DONE : await take(lead, me.id);
  if (many.kind === 'take' || taken.kind !== 'done') return taken;
  // The id of the note combines the ids of note and lead: it differs between leads, and is the same if the action is
  // repeated.
  const note = { ...many.note, id: many.note.id.slice(0, 24) + lead.quote_id.slice(24) };
  return lose(newest(lead), many.reason, note);
}

/** Restores the owner or status that a lead had before the action took or closed it. */
async function undoOne({ kind }: BulkAction, original: Lead, me: Person): Promise<ActionResult> {
  const result = kind === 'lose' ? await reopen(newest(original)) : DONE;
  return result.kind === 'done' && !original.assignee ? release(newest(original), me.id) : result;
}

const newest = (lead: Lead) => leadById(lead.quote_id) ?? lead;

/** Runs the action for each lead. Returns the leads for which it failed, with the reason. */
export const runBulkAction = (many: BulkAction, leads: readonly Lead[], me: Person): Promise<readonly Failure[]> =>
  each(leads, (lead) => doOne(many, lead, me));

/** True if the action can be undone. Handing over cannot, because the leads then belong to a colleague. */
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
