import { readPrice, type AnswerKind } from '../../lead/offer.ts';
import { isPrice } from '../../lead/bounds.ts';
import type { AnswerDraft } from '../../lead/answer-draft.ts';
import { newId } from '../../lead/quote.ts';
import { deskFailures as words } from '../../content/desk-failures.ts';
import { DONE, resultOf, type ActionResult } from '../api/action-result.ts';
import { conflictOver, storeOnce, take, type StoredRow } from '../api/lead-changes.ts';
import { fetchLead, leadById, readLead } from '../api/lead-feed.ts';
import type { Lead } from '../lead/lead.ts';
import { drafts, filledIn, forgetAnswer, isHeld, writeDraft } from './drafts.ts';

/** Sends the draft of a lead, taking a free one first. An answer that cannot be sent waits for the server. */
export function answer(lead: Lead, me: string): Promise<ActionResult> {
  const { quote_id } = lead;
  const send = async () => {
    const result = await saveAnswer(lead, writeDraft(quote_id, me, { heldUntil: 0 }), me);
    if (result.kind === 'done') forgetAnswer(quote_id);
    else writeDraft(quote_id, me, { waiting: result.kind === 'unreachable', heldUntil: undefined });
    return result;
  };
  const sending = underWay.get(quote_id) ?? send().finally(() => underWay.delete(quote_id));
  underWay.set(quote_id, sending);
  return sending;
}
const underWay = new Map<string, Promise<ActionResult>>();

/** The draft as a row; only an offer has price, weight and validity. */
export function answerRow(lead: Lead, draft: AnswerDraft): StoredRow {
  const { id, body = '', kind = 'oferta', price, per = 'kilo', currency = 'USD', kilos, validUntil } = draft;
  const offer = {
    ...(price?.trim() && { price: plainPrice(price), price_for: per, currency }),
    ...(validUntil && { valid_until: validUntil }),
    ...(kilos && { kilos: plainKilos(kilos) }),
  };
  const row = { id, quote_id: lead.quote_id, body: filledIn(body, lead).trim(), kind };
  return kind === 'oferta' ? { ...row, ...offer } : row;
}

async function saveAnswer(lead: Lead, draft: AnswerDraft, me: string): Promise<ActionResult> {
  const taken = lead.assignee ? DONE : await take(lead, me);
  if (taken.kind !== 'done') return taken;
  const store = async (): Promise<ActionResult> => {
    const isStored = await storeOnce('quote_answers', answerRow(lead, draft));
    await readLead(lead.quote_id);
    if (isStored) return DONE;
    // A changed text is stored as an answer of its own.
    writeDraft(lead.quote_id, me, { id: newId() });
    return { kind: 'conflict', says: words.conflict.sentBefore };
  };
  return resultOf(store, async () => {
    const now = await readLead(lead.quote_id);
    // The new owner may have become known while the answer was held.
    return now ? conflictOver(now, { ...lead, assignee: me }) : { kind: 'conflict', says: words.conflict.gone };
  });
}

/** Removes commas between groups of three digits. Any other comma stays, and the field refuses it. */
export const plainKilos = (typed: string): string => {
  const text = typed.trim();
  return /^[1-9]\d{0,2}(?:[\s,]\d{3})+$/.test(text) ? text.replaceAll(/[\s,]/g, '') : text;
};

/** Reads a decimal comma as a point. */
export const plainPrice = (typed: string): string => typed.trim().replace(',', '.');

/** The typed price if it is valid. */
export function priceOf({
  price,
  currency,
  per,
}: {
  readonly price: string;
  readonly currency: string;
  readonly per: string;
}) {
  const amount = plainPrice(price);
  return isPrice(amount) ? readPrice({ amount, currency, per }) : undefined;
}

/** Sends the answers that wait in this tab, once the server can be reached. */
export async function sendWaiting(
  me: string,
  onSent: (lead: Lead, result: ActionResult, kind: AnswerKind) => void,
): Promise<void> {
  for (const [quoteId, { waiting, kind = 'oferta' }] of drafts.read()) {
    // A search may have found an old lead, which no list has after a lock.
    const lead = leadById(quoteId) ?? (waiting ? await fetchLead(quoteId) : undefined);
    // Another action may have sent the draft.
    const draft = drafts.read().get(quoteId);
    if (!draft?.waiting || isHeld(draft) || !lead || underWay.has(quoteId)) continue;
    onSent(lead, await answer(lead, me), kind);
  }
}

/** Sends a saved answer before `work`: afterwards the lead could be a colleague's, or the answer would open it again. */
export async function afterSaved(lead: Lead, work: (now: Lead) => Promise<ActionResult>): Promise<ActionResult> {
  const draft = drafts.read().get(lead.quote_id);
  if (!draft?.waiting || draft.by !== lead.assignee) return work(lead);
  const sent = await answer(lead, draft.by);
  return sent.kind === 'done' ? work(leadById(lead.quote_id) ?? lead) : sent;
}
