import { answer, answerRow } from './sending.ts';
import { DONE, type ActionResult } from '../api/action-result.ts';
import { storeAnswerOnLeaving, take } from '../api/lead-changes.ts';
import { serverNow } from '../api/server-clock.ts';
import type { AnswerDraft } from '../../lead/answer-draft.ts';
import { drafts, isHeld, writeDraft } from './drafts.ts';
import type { Lead } from '../lead/lead.ts';
import { leadById, readLead } from '../api/lead-feed.ts';
import { folioOf } from '../../lead/folio.ts';

/** Milliseconds in which a sent answer can be undone. The answer stays in this tab during this time. */
export const SEND_DELAY = 10_000;

/** Takes a lead without an owner, then holds the answer for the delay. */
export async function holdAnswer(lead: Lead, me: string): Promise<ActionResult> {
  const taken = lead.assignee ? DONE : await take(lead, me);
  const left = Date.parse(lead.due_at) - serverNow();
  // An answer close to its deadline is sent without the delay, or the delay could make it late.
  const isLast = lead.open && left > 0 && left < 2 * SEND_DELAY;
  writeDraft(lead.quote_id, me, {
    waiting: taken.kind === 'done' || taken.kind === 'unreachable',
    heldUntil: taken.kind === 'done' ? Date.now() + (isLast ? 0 : SEND_DELAY) : undefined,
  });
  return taken;
}

export const takeBack = (quoteId: string, me: string): unknown =>
  writeDraft(quoteId, me, { waiting: false, heldUntil: undefined });

export const sendNow = (quoteId: string, me: string): unknown => writeDraft(quoteId, me, { heldUntil: Date.now() });

/** Time at which the next held answer must be sent. */
export function nextToSend(all: ReadonlyMap<string, AnswerDraft>): number | undefined {
  const ends = [...all.values()].flatMap(({ waiting, heldUntil }) => (waiting && heldUntil) || []);
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** Sends held answers at once, because the browser may close or suspend the page. */
export function sendHeldAnswers(): void {
  for (const [quoteId, draft] of drafts.read()) {
    const lead = leadById(quoteId);
    if (!isHeld(draft)) continue;
    writeDraft(quoteId, draft.by, { heldUntil: Date.now() });
    if (lead) void storeAnswerOnLeaving(answerRow(lead, draft)).catch(() => undefined);
  }
}

/** True if an answer in this tab has not reached the server. */
export const isSavedHere = (): boolean => [...drafts.read().values()].some(({ waiting }) => waiting);

/** Sends held and waiting answers. Returns the folios of those that did not arrive. */
export async function sendSaved(): Promise<readonly string[]> {
  const saved = [...drafts.read()].filter(([, { waiting }]) => waiting);
  const unsent = await Promise.all(
    saved.map(async ([quoteId, { by }]) => {
      const lead = leadById(quoteId) ?? (await readLead(quoteId).catch(() => 'unread' as const));
      // A lead that cannot be read is blocked or erased, so its answer is dropped.
      if (!lead) return [];
      return lead === 'unread' || (await answer(lead, by)).kind !== 'done' ? [folioOf(quoteId)] : [];
    }),
  );
  return unsent.flat();
}
