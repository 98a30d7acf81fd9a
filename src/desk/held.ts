import { answerRow, DONE, take, type Ending } from './actions.ts';
import { sendOnLeaving, serverNow } from './backend.ts';
import type { Draft } from '../lead/answer-draft.ts';
import { drafts, isHeld, writeDraft } from './drafts.ts';
import type { Lead } from './lead.ts';
import { leadById } from './leads.ts';

/** For so long nothing of a saved answer has left. */
const HELD = 10_000;

/** Takes the lead where nobody has it, and lets the answer wait for second thoughts. */
export async function holdAnswer(lead: Lead, me: string): Promise<Ending> {
  const taken = lead.assignee ? DONE : await take(lead, me);
  const left = Date.parse(lead.due_at) - serverNow();
  // Second thoughts are not worth a broken promise.
  const isLast = lead.open && left > 0 && left < 2 * HELD;
  writeDraft(lead.quote_id, me, {
    waiting: taken.kind === 'done' || taken.kind === 'unreachable',
    heldUntil: taken.kind === 'done' ? Date.now() + (isLast ? 0 : HELD) : undefined,
  });
  return taken;
}

export const takeBack = (quoteId: string, me: string): unknown =>
  writeDraft(quoteId, me, { waiting: false, heldUntil: undefined });

export const sendNow = (quoteId: string, me: string): unknown => writeDraft(quoteId, me, { heldUntil: Date.now() });

/** When the next one is to be sent, if one is held. */
export function nextToSend(written: ReadonlyMap<string, Draft>): number | undefined {
  const ends = [...written.values()].flatMap(({ waiting, heldUntil }) => (waiting && heldUntil) || []);
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** The page may be gone in a moment, or put to sleep: what is held goes now. */
export function sendHeld(token?: string): Promise<unknown> {
  const held = [...drafts.read()].filter(([, draft]) => isHeld(draft));
  return Promise.allSettled(
    held.map(async ([quoteId, draft]) => {
      writeDraft(quoteId, draft.by, { heldUntil: Date.now() });
      const lead = leadById(quoteId);
      if (lead) await sendOnLeaving('quote_answers?on_conflict=id', answerRow(lead, draft), token);
    }),
  );
}
