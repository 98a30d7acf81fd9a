import type { PaperFacts } from '../../lead/papers.ts';
import { timeInTijuana } from '../../lead/tijuana.ts';
import { newId } from '../../lead/quote.ts';
import { readEventRow } from '../../lead/rows.ts';
import type { DeskMove, LostReason } from '../../lead/vocabulary.ts';
import { deskFailures as words } from '../../content/desk-failures.ts';
import { deskTeam } from '../../content/desk-team.ts';
import { mainWords } from '../../content/bilingual.ts';
import { backend, rows, sendOnLeaving } from './backend.ts';
import { DONE, resultOf, isConflict, type ActionResult } from './action-result.ts';
import type { Lead, Status } from '../lead/lead.ts';
import { readLead } from './lead-feed.ts';

const TRIES = 3;

export type Change =
  | { readonly status: Status; readonly lost_reason?: LostReason; readonly assignee?: string }
  | { readonly assignee: string };

/**
 * Changes the lead, unless somebody else has changed its status or owner. `isDone`: true if the lead has the change
 * already.
 */
export async function changeLead(lead: Lead, to: Change, isDone: (now: Lead) => boolean): Promise<ActionResult> {
  return resultOf(async () => {
    let latest = lead;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const changed = await rows(
        backend
          .from('quote_desk')
          .update(to)
          .eq('quote_id', latest.quote_id)
          .eq('version', latest.version)
          .select('version'),
      ).catch(passOverConflict);
      const now = await readLead(lead.quote_id);
      if (!now) return { kind: 'conflict', says: words.conflict.gone };
      // If an earlier try succeeded and only its response was lost, `isDone` finds the lead changed already.
      if (changed.length > 0 || isDone(now)) return DONE;
      // Another status, another owner or a new reply is a conflict. Any other change, such as an answer seen by the
      // customer, only raises the version: the loop then tries again with the new version.
      if (!standsAs(now, lead)) return conflictOver(now, lead);
      latest = now;
    }
    return conflictOver(latest, lead);
  });
}

export const changeLeadOnLeaving = ({ quote_id, version }: Lead, to: Change): Promise<unknown> =>
  sendOnLeaving(`quote_desk?quote_id=eq.${quote_id}&version=eq.${version}`, to, undefined, 'PATCH').catch(
    () => undefined,
  );

const standsAs = (now: Lead, shown: Lead) =>
  now.status === shown.status && now.assignee === shown.assignee && now.reply_waiting === shown.reply_waiting;

export const take = (lead: Lead, me: string): Promise<ActionResult> =>
  changeLead(lead, { status: 'tomada' }, ({ assignee }) => assignee === me);

export const takeOver = (lead: Lead, me: string): Promise<ActionResult> =>
  changeLead(lead, { assignee: me }, ({ assignee }) => assignee === me);

/** Blocks the lead, which hides it from the team and from the customer's phone. */
export const block = ({ quote_id }: Lead): Promise<ActionResult> =>
  resultOf(async () => {
    await rows(backend.from('desk_acts').insert({ id: newId(), kind: 'bloqueo', quote_id }));
    await readLead(quote_id);
    return DONE;
  });

/**
 * Reopens a closed lead with its earlier status. Its deadline stays; a question received in the meantime still waits
 * for an answer.
 */
export const reopen = (lead: Lead): Promise<ActionResult> => {
  const status = lead.last_answer && !lead.reply_waiting ? 'respondida' : 'tomada';
  return changeLead(lead, { status }, (now) => now.status === status);
};

export const saveNote = (lead: Lead, id: string, body: string): Promise<ActionResult> =>
  resultOf(async () => {
    const isStored = await storeOnce('quote_notes', { id, quote_id: lead.quote_id, body: body.trim() });
    return isStored ? DONE : { kind: 'conflict', says: words.conflict.sentBefore };
  });

/** Stores the state of a shipping document, which the customer sees. */
export const markPaper = ({ quote_id }: Lead, { papel, estado }: Omit<PaperFacts, 'archivo'>): Promise<ActionResult> =>
  resultOf(async () => {
    await storeOnce('shipment_papers', { id: newId(), quote_id, papel, estado });
    return DONE;
  });

/**
 * Stores a row once. Returns false if the server has other values under this id, from an earlier attempt whose response
 * was lost.
 */
export async function storeOnce(
  table: 'quote_answers' | 'quote_notes' | 'offer_moves' | 'shipment_papers',
  row: StoredRow,
): Promise<boolean> {
  const stored = await rows(backend.from(table).upsert(row, { onConflict: 'id', ignoreDuplicates: true }).select('id'));
  if (stored.length > 0) return true;
  const [there] = await rows<StoredRow>(backend.from(table).select('*').eq('id', row.id));
  return !there || Object.entries(row).every(([column, value]) => isSame(there[column], value));
}
export type StoredRow = { readonly id: string; readonly [column: string]: unknown };

export const storeAnswerOnLeaving = (row: StoredRow): Promise<Response> =>
  sendOnLeaving('quote_answers?on_conflict=id', row);

/**
 * True if the server stored the value that was sent. The server may write a number differently, as 4.1 for '4.10', and
 * may return the keys of an object in another order.
 */
export function isSame(stored: unknown, sent: unknown): boolean {
  if (typeof stored === 'number') return stored === Number(sent);
  if (typeof stored !== 'object' || typeof sent !== 'object' || !stored || !sent) return stored === sent;
  const [one, other] = [Object.entries(stored), new Map(Object.entries(sent))];
  return one.length === other.size && one.every(([key, value]) => isSame(value, other.get(key)));
}

/** Records that an offer is withdrawn, booked, without space, or accepted late. */
export function moveOffer(
  { quote_id }: Lead,
  answer_id: string,
  state: DeskMove,
  { id, word, reference }: { readonly id: string; readonly word?: string; readonly reference?: string },
): Promise<ActionResult> {
  const conflict = async (): Promise<ActionResult> => {
    const now = await readLead(quote_id);
    return { kind: 'conflict', says: now ? words.conflict.moved : words.conflict.gone };
  };
  const store = async (): Promise<ActionResult> => {
    const move = { id, quote_id, answer_id, state, ...(word && { word }), ...(reference && { reference }) };
    // An earlier press may have stored another text under this id, although its response was lost. That text stays, and
    // the person reads about the conflict.
    if (!(await storeOnce('offer_moves', move))) return conflict();
    await readLead(quote_id);
    return DONE;
  };
  return resultOf(store, conflict);
}

/** Returns the result of a conflict: a sentence that says who changed the lead and when. */
export async function conflictOver(now: Lead, shown: Lead): Promise<ActionResult> {
  const trail = await rows(
    backend.from('quote_events').select('*').eq('quote_id', now.quote_id).order('id', { ascending: false }).limit(20),
    readEventRow,
  );
  const took = trail.find(({ code }) => code === 'tomada' || code === 'relevada');
  const when = timeInTijuana(Date.parse((now.assignee ? took?.at : trail[0]?.at) ?? now.updated_at));
  const name = now.assignee_name ?? mainWords(deskTeam.colleague);
  const { owned, free, changed } = words.conflict;
  if (now.accepted_state === 'aceptada') return { kind: 'conflict', says: words.conflict.accepted };
  const sentence =
    now.assignee === null ? free(when) : now.assignee === shown.assignee ? changed(name, when) : owned(name, when);
  return { kind: 'conflict', says: sentence };
}

function passOverConflict(error: unknown): readonly unknown[] {
  if (isConflict(error)) return [];
  throw error;
}
