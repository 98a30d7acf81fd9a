import { answer, answerRow } from './sending.ts';
import { DONE, type ActionResult } from '../api/action-result.ts';
import { storeAnswerOnLeaving, take } from '../api/lead-changes.ts';
import { serverNow } from '../api/server-clock.ts';
import type { AnswerDraft } from '../../lead/answer-draft.ts';
import { drafts, isHeld, writeDraft } from './drafts.ts';
import type { Lead } from '../lead/lead.ts';
import { leadById, readLead } from '../api/lead-feed.ts';
import { folioOf } from '../../lead/folio.ts';

/** Milliseconds during which a sent answer can be undone. During this time the answer exists only in this tab. */
export const SEND_DELAY = 10_000;

/** Takes a lead without an owner, then starts the delay after which the answer is sent. */
export async function holdAnswer(lead: Lead, me: string): Promise<ActionResult> {
  const taken = lead.assignee ? DONE : await take(lead, me);
  const left = Date.parse(lead.due_at) - serverNow();
  // If the lead's deadline is near, the answer is sent at once: after the delay it could miss the deadline.
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

/** Returns the time at which the next delayed answer must be sent; undefined if no answer is delayed. */
export function nextToSend(all: ReadonlyMap<string, AnswerDraft>): number | undefined {
  const ends = [...all.values()].flatMap(({ waiting, heldUntil }) => (waiting && heldUntil) || []);
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** Sends at once all answers whose delay has not ended, because the browser may close or suspend the page. */
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

/** Sends all delayed and waiting answers of this tab. Returns the folios of the leads whose answer did not arrive. */
export async function sendSaved(): Promise<readonly string[]> {
  const saved = [...drafts.read()].filter(([, { waiting }]) => waiting);
  const unsent = await Promise.all(
    saved.map(async ([quoteId, { by }]) => {
      const lead = leadById(quoteId) ?? (await readLead(quoteId).catch(() => 'unread' as const));
      // If the server no longer shows a lead, the lead is blocked or erased, so its answer is dropped.
      if (!lead) return [];
      return lead === 'unread' || (await answer(lead, by)).kind !== 'done' ? [folioOf(quoteId)] : [];
    }),
  );
  return unsent.flat();
}
