import { answer, answerRow, DONE, take, type Ending } from './actions.ts';
import { sendOnLeaving, serverNow } from './backend.ts';
import type { Draft } from '../lead/answer-draft.ts';
import { drafts, isHeld, writeDraft } from './drafts.ts';
import type { Lead } from './lead.ts';
import { leadById, readLead } from './leads.ts';
import { folioOf } from '../lead/folio.ts';

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
export function sendHeld(): void {
  for (const [quoteId, draft] of drafts.read()) {
    const lead = leadById(quoteId);
    if (!isHeld(draft)) continue;
    writeDraft(quoteId, draft.by, { heldUntil: Date.now() });
    if (lead) void sendOnLeaving('quote_answers?on_conflict=id', answerRow(lead, draft)).catch(() => undefined);
  }
}

/** Has anything been saved that is not at the server? */
export const isSavedHere = (): boolean => [...drafts.read().values()].some(({ waiting }) => waiting);

/** What is held, and what waits for a connection. Answers the folios of those that did not arrive. */
export async function sendSaved(): Promise<readonly string[]> {
  const saved = [...drafts.read()].filter(([, { waiting }]) => waiting);
  const unsent = await Promise.all(
    saved.map(async ([quoteId, { by }]) => {
      const lead = leadById(quoteId) ?? (await readLead(quoteId).catch(() => 'unread' as const));
      // What was blocked meanwhile nobody can answer.
      if (!lead) return [];
      return lead === 'unread' || (await answer(lead, by)).kind !== 'done' ? [folioOf(quoteId)] : [];
    }),
  );
  return unsent.flat();
}
