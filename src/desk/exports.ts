import { csvHeading, csvLine } from '../lead/csv.ts';
import { newId } from '../lead/quote.ts';
import { readExportRow, type ExportRow } from '../lead/rows.ts';
import { dayInTijuana } from '../lead/tijuana.ts';
import { download } from '../ui/download.ts';
import { backend, rows } from './backend.ts';
import type { Lead } from './lead.ts';

const LAST = 5;

/** No file without a line that says who took how many rows. */
export async function exportCsv(leads: readonly Lead[], what: string, now: number): Promise<void> {
  await rows(backend.from('desk_acts').insert({ id: newId(), kind: 'exporte', rows: leads.length, what }));
  const text = [csvHeading, ...leads.map((lead) => csvLine({ ...lead, id: lead.quote_id }))].join('');
  // Excel takes a file for UTF-8 by the mark at its beginning alone.
  download(`mesa-${dayInTijuana(now)}.csv`, 'text/csv', ['\ufeff', text]);
}

export const lastExports = (): Promise<readonly ExportRow[]> =>
  rows(
    backend
      .from('desk_acts')
      .select('id,at,staff_name,rows')
      .eq('kind', 'exporte')
      .order('at', { ascending: false })
      .limit(LAST),
    readExportRow,
  );
