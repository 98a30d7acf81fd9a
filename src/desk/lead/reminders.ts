import type { ReminderRow } from '../../lead/rows.ts';
import { createStore } from '../../ui/create-store.ts';
import { deskReminders as words } from '../../content/desk-reminders.ts';
import { DONE, failedResult, type ActionResult } from '../api/action-result.ts';
import { readReminders, removeReminder, storeReminder, type Moment } from '../api/reminders.ts';
import { serverNow } from '../api/server-clock.ts';
import { RequestError } from '../api/request-error.ts';
import { latestOnly } from '../latest-only.ts';
import { isClosed, type Lead } from './lead.ts';
import { fetchLead, leadById } from '../api/lead-feed.ts';

/**
 * Milliseconds between two reads of the reminders. Regular reads are needed, because a new reminder does not change the
 * version of its lead.
 */
const EVERY = 12_000;

/** Reminders by the id of their lead. */
export const reminders = createStore<ReadonlyMap<string, ReminderRow>>(new Map());

/** Ids of leads whose reminder is due. */
export const due = createStore<ReadonlySet<string>>(new Set());

/** Time of the last read, by the clock of this computer. */
const askedAt = createStore(0);

const readLatest = latestOnly(readReminders);

async function loadReminders(): Promise<void> {
  askedAt.set(Date.now());
  const read = await readLatest();
  if (!read) return;
  reminders.set(new Map(read.map((each) => [each.quote_id, each])));
  markDue();
  // A closed lead that has not changed for thirty days is not in the feed. If its reminder is due, the lead is fetched.
  const unknown = read.filter(({ quote_id }) => due.read().has(quote_id) && !leadById(quote_id));
  for (const { quote_id } of unknown.slice(0, 20)) await fetchLead(quote_id);
}

/** Marks the leads whose reminder is due. Reads the reminders again if the last read is some seconds old. */
export function checkReminders(): void {
  markDue();
  if (Date.now() - askedAt.read() < EVERY) return;
  loadReminders().catch(() => undefined);
}

export function forgetReminders(): void {
  askedAt.set(0);
  readLatest.forget();
  reminders.set(new Map());
  due.set(new Set());
}

function markDue(): void {
  const now = serverNow();
  const come = [...reminders.read().values()].filter(({ at }) => Date.parse(at) <= now);
  const marked = due.read();
  if (come.length !== marked.size || come.some(({ quote_id }) => !marked.has(quote_id)))
    due.set(new Set(come.map(({ quote_id }) => quote_id)));
}

/** True if the reminder of a lead is due and the lead belongs to this person or to nobody. */
export const isReminded = (lead: Lead, me: string): boolean =>
  due.read().has(lead.quote_id) && (lead.assignee === null || lead.assignee === me) && !isClosed(lead);

export const remind = ({ quote_id }: Lead, moment: Moment): Promise<ActionResult> =>
  storeChange(() => storeReminder(quote_id, moment));

export const forgetReminder = ({ quote_id }: Lead): Promise<ActionResult> =>
  storeChange(() => removeReminder(quote_id));

async function storeChange(work: () => Promise<unknown>): Promise<ActionResult> {
  try {
    await work();
    await loadReminders();
    return DONE;
  } catch (error) {
    const isBad = error instanceof RequestError && /^2(2|3514)/.test(error.code);
    return failedResult(error, isBad ? words.bad : undefined);
  }
}
