import { readReminderRow, type ReminderRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';

const TABLE = 'desk_reminders';

export type Moment = { readonly why: 'vence' } | { readonly why: 'fecha'; readonly at: string };

export const readReminders = (): Promise<readonly ReminderRow[]> =>
  rows(backend.from(TABLE).select('*').order('at', { ascending: false }), readReminderRow);

/** Stores the reminder of a lead; a new one replaces the earlier one. */
export async function storeReminder(quote_id: string, moment: Moment): Promise<void> {
  const table = backend.from(TABLE);
  const changed = await rows(table.update(moment).eq('quote_id', quote_id).select('quote_id'));
  if (changed.length === 0) await rows(table.insert({ quote_id, ...moment }).select('quote_id'));
}

export const removeReminder = (quote_id: string): Promise<unknown> =>
  rows(backend.from(TABLE).delete().eq('quote_id', quote_id).select('quote_id'));
