import type { Line } from '../../lead/offer-lines.ts';
import { readPrice, type AnswerKind } from '../../lead/offer.ts';
import { isPrice } from '../../lead/bounds.ts';
import type { AnswerDraft, DraftLine } from '../../lead/answer-draft.ts';
import { newId } from '../../lead/quote.ts';
import { deskFailures as words } from '../../content/desk-failures.ts';
import { DONE, resultOf, type ActionResult } from '../api/action-result.ts';
import { conflictOver, storeOnce, take, type StoredRow } from '../api/lead-changes.ts';
import { fetchLead, leadById, readLead } from '../api/lead-feed.ts';
import type { Lead } from '../lead/lead.ts';
import { drafts, filledIn, forgetAnswer, isHeld, writeDraft } from './drafts.ts';

/** Answers that are being sent, by the id of their lead. */
const underWay = new Map<string, Promise<ActionResult>>();

/**
 * Sends the drafted answer to a lead; a lead without an owner is taken first. Without a connection, the answer waits in
 * this tab.
 */
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

/** Makes the database row of the draft. Only an offer has a price, a weight and a validity. */
export function answerRow(lead: Lead, draft: AnswerDraft): StoredRow {
  const { id, body = '', kind = 'oferta', price, per = 'kilo', currency = 'USD', kilos, validUntil, lines } = draft;
  const offer = {
    ...(price?.trim() && { price: plainPrice(price), price_for: per, currency }),
    ...(validUntil && { valid_until: validUntil }),
    ...(kilos && { kilos: plainKilos(kilos) }),
    ...(lines?.length && { lines: lines.map(lineOf) }),
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
    // The server has stored an earlier text under this id, although its response was lost. With a new id, the person
    // can send the changed text as a second answer.
    writeDraft(lead.quote_id, me, { id: newId() });
    return { kind: 'conflict', says: words.conflict.sentBefore };
  };
  return resultOf(store, async () => {
    const now = await readLead(lead.quote_id);
    if (now?.assignee === me && now.accepted_state === 'reservada')
      return { kind: 'conflict', says: words.conflict.booked };
    // A colleague may have taken the lead during the delay. This person is passed as the earlier owner, so that the
    // sentence names the colleague as the new owner.
    return now ? conflictOver(now, { ...lead, assignee: me }) : { kind: 'conflict', says: words.conflict.gone };
  });
}

/** Removes commas and spaces between groups of three digits. Any other comma stays, and the form refuses it. */
export const plainKilos = (typed: string): string => {
  const text = typed.trim();
  return /^[1-9]\d{0,2}(?:[\s,]\d{3})+$/.test(text) ? text.replaceAll(/[\s,]/g, '') : text;
};

export const plainPrice = (typed: string): string => typed.trim().replace(',', '.');

export const lineOf = ({ kind, per, amount, days, name }: DraftLine): Line => ({
  kind,
  per,
  amount: Number(plainPrice(amount)),
  ...(per === 'dia' && { days: Number(days) }),
  ...(kind === 'otro' && name.trim() && { name: name.trim() }),
});

/** Returns the typed price if it is valid. */
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
    // Locking empties the desk's list of leads. After the next sign-in the desk loads only open and recent leads, so an
    // older lead that was found by a search is fetched again.
    const lead = leadById(quoteId) ?? (waiting ? await fetchLead(quoteId) : undefined);
    // The draft is read again, because another action may have sent it while the lead was fetched.
    const draft = drafts.read().get(quoteId);
    if (!draft?.waiting || isHeld(draft) || !lead || underWay.has(quoteId)) continue;
    onSent(lead, await answer(lead, me), kind);
  }
}

/**
 * Sends a waiting answer before `work` changes the lead. If the lead were handed over first, the server would refuse
 * the answer; if it were closed first, the answer would open it again.
 */
export async function afterSaved(lead: Lead, work: (now: Lead) => Promise<ActionResult>): Promise<ActionResult> {
  const draft = drafts.read().get(lead.quote_id);
  if (!draft?.waiting || draft.by !== lead.assignee) return work(lead);
  const sent = await answer(lead, draft.by);
  return sent.kind === 'done' ? work(leadById(lead.quote_id) ?? lead) : sent;
}
