import { deskLead as words } from '../../content/desk-lead.ts';
import { deskTeam } from '../../content/desk-team.ts';
import type { LostReason } from '../../lead/vocabulary.ts';
import { afterSaved } from '../answer/sending.ts';
import { DONE, type ActionResult } from '../api/action-result.ts';
import { changeLead, changeLeadOnLeaving, saveNote, type Change } from '../api/lead-changes.ts';
import { refreshPresence, reach } from '../team/presence.ts';
import type { Lead } from './lead.ts';

export const release = (lead: Lead, me: string): Promise<ActionResult> =>
  afterSaved(lead, (now) => changeLead(now, { status: 'nueva' }, ({ assignee }) => assignee !== me));

function newOwner({ assignee }: Lead, heir: string | null): Change {
  if (heir === null) return { status: 'nueva' };
  return { ...(!assignee && { status: 'tomada' }), assignee: heir };
}

export const handOverOnLeaving = (lead: Lead, heir: string | null): Promise<unknown> =>
  changeLeadOnLeaving(lead, newOwner(lead, heir));

/** Hands a lead to a present colleague. `heir`: null gives the lead back to the list. */
export async function handOver(lead: Lead, heir: string | null): Promise<ActionResult> {
  const result = await afterSaved(lead, (now) =>
    changeLead(now, newOwner(now, heir), ({ assignee }) => assignee === heir),
  );
  if (result.kind !== 'conflict' || heir === null) return result;
  await refreshPresence().catch(() => undefined);
  const isHere = reach.read()?.some(({ staff, here }) => staff === heir && here);
  return isHere ? result : { kind: 'conflict', says: deskTeam.away };
}

export const close = (lead: Lead, status: 'respondida' | 'ganada'): Promise<ActionResult> =>
  afterSaved(lead, (now) => changeLead(now, { status }, (then) => then.status === status && !then.reply_waiting));

/** Closes a lead as lost. A repeated press must use the same `note.id`, so that the note is stored once. */
export const lose = (lead: Lead, lost_reason: LostReason, note: { id: string; word: string }): Promise<ActionResult> =>
  afterSaved(lead, async (now) => {
    const noted = note.word ? await saveNote(now, note.id, words.lostNote(note.word)) : DONE;
    if (noted.kind !== 'done') return noted;
    return changeLead(
      now,
      { status: 'perdida', lost_reason },
      (then) => then.status === 'perdida' && !then.reply_waiting,
    );
  });
