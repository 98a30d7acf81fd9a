import { timeInTijuana } from '../lead/tijuana.ts';
import type { Draft } from '../lead/answer-draft.ts';
import { newId } from '../lead/quote.ts';
import { readEventRow } from '../lead/rows.ts';
import { isLacking } from '../lead/schema-version.ts';
import type { DeskMove, LostReason } from '../lead/vocabulary.ts';
import { desk as words } from '../content/desk.ts';
import { roles } from '../content/desk-roles.ts';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { backend, rows, Trouble } from './backend.ts';
import { drafts, filledIn, forgetAnswer, isHeld, writeDraft } from './drafts.ts';
import type { Lead, Status } from './lead.ts';
import { bringIn, leadById, readLead } from './leads.ts';
import { askWhoIsHere, reach } from './presence.ts';

/** How something that was pressed ended: what is to be said of it, if anything. */
export type Ending =
  | { readonly kind: 'done' }
  | { readonly kind: 'unreachable' | 'refused' | 'conflict'; readonly says: Bilingual };

export const DONE: Ending = { kind: 'done' };
const TRIES = 3;

type Change =
  | { readonly status: Status; readonly lost_reason?: LostReason; readonly assignee?: string }
  | { readonly assignee: string };

/** Exactly what is on the screen is changed, or nothing. */
async function change(lead: Lead, to: Change, isDone: (now: Lead) => boolean): Promise<Ending> {
  return ending(async () => {
    let seen = lead;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const changed = await rows(
        backend
          .from('quote_desk')
          .update(to)
          .eq('quote_id', seen.quote_id)
          .eq('version', seen.version)
          .select('version'),
      ).catch(passOverConflict);
      const now = await readLead(lead.quote_id);
      if (!now) return { kind: 'conflict', says: words.conflict.gone };
      // Also where our own first try arrived and its answer did not.
      if (changed.length > 0 || isDone(now)) return DONE;
      // A change meanwhile need not concern this, such as that the phone has shown an answer.
      if (!standsAs(now, lead)) return conflictOver(now, lead);
      seen = now;
    }
    return conflictOver(seen, lead);
  });
}

const standsAs = (now: Lead, before: Lead) =>
  now.status === before.status && now.assignee === before.assignee && now.reply_waiting === before.reply_waiting;

export const take = (lead: Lead, me: string): Promise<Ending> =>
  change(lead, { status: 'tomada' }, ({ assignee }) => assignee === me);

export const release = (lead: Lead, me: string): Promise<Ending> =>
  afterSaved(lead, (now) => change(now, { status: 'nueva' }, ({ assignee }) => assignee !== me));

export const takeOver = (lead: Lead, me: string): Promise<Ending> =>
  change(lead, { assignee: me }, ({ assignee }) => assignee === me);

/** To a colleague who is here, or back to the list. */
export async function handOver(lead: Lead, heir: string | null): Promise<Ending> {
  const to = heir === null ? ({ status: 'nueva' } as const) : { assignee: heir };
  const ended = await afterSaved(lead, (now) =>
    change(now, now.assignee ? to : { status: 'tomada', ...to }, ({ assignee }) => assignee === heir),
  );
  if (ended.kind !== 'conflict' || heir === null) return ended;
  await askWhoIsHere().catch(() => undefined);
  const isHere = reach.read()?.some(({ staff, here }) => staff === heir && here);
  return isHere ? ended : { kind: 'conflict', says: roles.handOver.away };
}

/** Nobody may read it from then on. */
export const block = ({ quote_id }: Lead): Promise<Ending> =>
  ending(async () => {
    await rows(backend.from('desk_acts').insert({ id: newId(), kind: 'bloqueo', quote_id }));
    await readLead(quote_id);
    return DONE;
  });

export const close = (lead: Lead, status: 'respondida' | 'ganada'): Promise<Ending> =>
  afterSaved(lead, (now) => change(now, { status }, (then) => then.status === status && !then.reply_waiting));

/** Where it stood before it was closed: nothing is promised anew by it, and what its phone asked since goes on waiting. */
export const reopen = (lead: Lead): Promise<Ending> => {
  const status = lead.last_answer && !lead.reply_waiting ? 'respondida' : 'tomada';
  return change(lead, { status }, (now) => now.status === status);
};

/** `note`: with the id that it had, where its word is said again. */
export const lose = (lead: Lead, lost_reason: LostReason, note: { id: string; word: string }): Promise<Ending> =>
  afterSaved(lead, async (now) => {
    const noted = note.word ? await saveNote(now, note.id, words.lostNote(note.word)) : DONE;
    if (noted.kind !== 'done') return noted;
    return change(now, { status: 'perdida', lost_reason }, (then) => then.status === 'perdida' && !then.reply_waiting);
  });

/** An answer that was saved to it goes first: after the change it could be a colleague's, or would open it again. */
async function afterSaved(lead: Lead, work: (now: Lead) => Promise<Ending>): Promise<Ending> {
  const draft = drafts.read().get(lead.quote_id);
  if (!draft?.waiting || draft.by !== lead.assignee) return work(lead);
  const sent = await answer(lead, draft.by);
  return sent.kind === 'done' ? work(leadById(lead.quote_id) ?? lead) : sent;
}

export const saveNote = (lead: Lead, id: string, body: string): Promise<Ending> =>
  ending(async () => {
    const isStored = await storeOnce('quote_notes', { id, quote_id: lead.quote_id, body: body.trim() });
    return isStored ? DONE : { kind: 'conflict', says: words.conflict.sentBefore };
  });

/** False where an earlier version is there under its id: that one arrived, and the word of it was lost. */
async function storeOnce(table: 'quote_answers' | 'quote_notes' | 'offer_moves', row: Row): Promise<boolean> {
  const stored = await rows(backend.from(table).upsert(row, { onConflict: 'id', ignoreDuplicates: true }).select('id'));
  if (stored.length > 0) return true;
  const [there] = await rows<Row>(backend.from(table).select('*').eq('id', row.id));
  return !there || Object.entries(row).every(([column, value]) => isSame(there[column], value));
}
type Row = { readonly id: string; readonly [column: string]: unknown };

/** A number is typed as text: '4.10' is stored as 4.1. */
const isSame = (stored: unknown, sent: unknown) =>
  typeof stored === 'number' ? stored === Number(sent) : stored === sent;

/** Sends what was written, taking the quote first where nobody has it. What could not be sent waits for the server. */
export function answer(lead: Lead, me: string): Promise<Ending> {
  const { quote_id } = lead;
  const send = async () => {
    const ended = await saveAnswer(lead, writeDraft(quote_id, me, { heldUntil: 0 }), me);
    if (ended.kind === 'done') forgetAnswer(quote_id);
    else writeDraft(quote_id, me, { waiting: ended.kind === 'unreachable', heldUntil: undefined });
    return ended;
  };
  const sending = underWay.get(quote_id) ?? send().finally(() => underWay.delete(quote_id));
  underWay.set(quote_id, sending);
  return sending;
}
const underWay = new Map<string, Promise<Ending>>();

/** The answer as a row; an offer has all its parts, other kinds none of them. */
export function answerRow(lead: Lead, draft: Draft): Row {
  const { id, body = '', kind = 'oferta', price, per = 'kilo', currency = 'USD', kilos, validUntil } = draft;
  const offer = {
    ...(price?.trim() && { price: plainPrice(price), price_for: per, currency }),
    ...(validUntil && { valid_until: validUntil }),
    ...(kilos && { kilos: plainKilos(kilos) }),
  };
  const row = { id, quote_id: lead.quote_id, body: filledIn(body, lead).trim(), kind };
  return kind === 'oferta' ? { ...row, ...offer } : row;
}

async function saveAnswer(lead: Lead, draft: Draft, me: string): Promise<Ending> {
  const taken = lead.assignee ? DONE : await take(lead, me);
  if (taken.kind !== 'done') return taken;
  const store = async (): Promise<Ending> => {
    const isStored = await storeOnce('quote_answers', answerRow(lead, draft));
    await readLead(lead.quote_id);
    if (isStored) return DONE;
    // What was changed since then is another answer.
    writeDraft(lead.quote_id, me, { id: newId() });
    return { kind: 'conflict', says: words.conflict.sentBefore };
  };
  return ending(store, async () => {
    const now = await readLead(lead.quote_id);
    // Whose it is now may have been heard while the answer was held.
    return now ? conflictOver(now, { ...lead, assignee: me }) : { kind: 'conflict', says: words.conflict.gone };
  });
}

/** What the sales team did with an offer: withdrew it, reserved its space, had none, or took one that came late. */
export function moveOffer(
  { quote_id }: Lead,
  answer_id: string,
  state: DeskMove,
  { id, word, reference }: { readonly id: string; readonly word?: string; readonly reference?: string },
): Promise<Ending> {
  const conflict = async (): Promise<Ending> => {
    const now = await readLead(quote_id);
    return { kind: 'conflict', says: now ? words.conflict.moved : words.conflict.gone };
  };
  const store = async (): Promise<Ending> => {
    const move = { id, quote_id, answer_id, state, ...(word && { word }), ...(reference && { reference }) };
    // It arrived before, as it was first.
    if (!(await storeOnce('offer_moves', move))) return conflict();
    await readLead(quote_id);
    return DONE;
  };
  return ending(store, conflict);
}

/** Digits may be grouped by threes. Any other comma would make another weight: that stays, and is refused. */
export const plainKilos = (typed: string): string => {
  const text = typed.trim();
  return /^[1-9]\d{0,2}(?:[\s,]\d{3})+$/.test(text) ? text.replaceAll(/[\s,]/g, '') : text;
};

/** A comma divides as well as a point. */
export const plainPrice = (typed: string): string => typed.trim().replace(',', '.');

/** Sends what waits in this tab, once the server was heard again. Says which ended otherwise than well. */
export async function sendWaiting(me: string, tell: (lead: Lead, ended: Ending) => void): Promise<void> {
  for (const [quoteId, { waiting }] of drafts.read()) {
    // It may be to a request of long ago, which was looked for before the desk was locked.
    const lead = leadById(quoteId) ?? (waiting ? await bringIn(quoteId) : undefined);
    // As it is by now: what was done meanwhile may have sent it.
    const draft = drafts.read().get(quoteId);
    if (!draft?.waiting || isHeld(draft) || !lead || underWay.has(quoteId)) continue;
    tell(lead, await answer(lead, me));
  }
}

/** The times and names come from the trail, which nobody rewrites. */
async function conflictOver(now: Lead, before: Lead): Promise<Ending> {
  const trail = await rows(
    backend.from('quote_events').select('*').eq('quote_id', now.quote_id).order('id', { ascending: false }).limit(20),
    readEventRow,
  );
  const took = trail.find(({ code }) => code === 'tomada' || code === 'relevada');
  const when = timeInTijuana(Date.parse((now.assignee ? took?.at : trail[0]?.at) ?? now.updated_at));
  const name = now.assignee_name ?? mainWords(words.colleague);
  const { owned, free, changed } = words.conflict;
  if (now.accepted_state === 'aceptada') return { kind: 'conflict', says: words.conflict.accepted };
  const says =
    now.assignee === null ? free(when) : now.assignee === before.assignee ? changed(name, when) : owned(name, when);
  return { kind: 'conflict', says };
}

const CONFLICT = 'PT409';

function passOverConflict(error: unknown): readonly unknown[] {
  if (error instanceof Trouble && error.code === CONFLICT) return [];
  throw error;
}

/** `onConflict`: how it ends where somebody else was faster. */
export async function ending(work: () => Promise<Ending>, onConflict?: () => Promise<Ending>): Promise<Ending> {
  try {
    return await work();
  } catch (error) {
    if (onConflict && error instanceof Trouble && error.code === CONFLICT) return ending(onConflict);
    return endOf(error);
  }
}

/** How what failed ended; what is no trouble with the server is thrown on. */
export function endOf(error: unknown, refused: Bilingual = words.failed): Ending {
  if (!(error instanceof Trouble)) throw error;
  if (error.kind === 'unreachable') return { kind: 'unreachable', says: words.notDone };
  return { kind: 'refused', says: isLacking(error.code) ? words.olderDatabase : refused };
}
