import { csvHeading, csvLine } from '../lead/csv.ts';
import { newId } from '../lead/quote.ts';
import { readExportedRow, readExportRow, type ExportRow } from '../lead/rows.ts';
import { dayInTijuana } from '../lead/tijuana.ts';
import { MOST_EXPORTED } from '../lead/vocabulary.ts';
import { download } from '../ui/download.ts';
import { backend, rows } from './backend.ts';
import type { Lead } from './lead.ts';

const LAST = 5;

/** Stores who takes which leads, in acts of at most 300, then makes a file of those that the database counted. */
export async function exportCsv(leads: readonly Lead[], what: string, now: number): Promise<void> {
  const counted = new Set<string>();
  for (let from = 0; from === 0 || from < leads.length; from += MOST_EXPORTED) {
    const ids = leads.slice(from, from + MOST_EXPORTED).map(({ quote_id }) => quote_id);
    // An array literal of PostgreSQL, since the server takes no JSON array.
    const act = { id: newId(), kind: 'exporte', leads: `{${ids.join(',')}}`, what };
    const stored = await rows(backend.from('desk_acts').insert(act).select('leads'), readExportedRow);
    for (const id of stored.flatMap(({ leads: exported }) => exported)) counted.add(id);
  }
  const lines = leads
    .filter(({ quote_id }) => counted.has(quote_id))
    .map((lead) => csvLine({ ...lead, id: lead.quote_id }));
  // Excel takes a file for UTF-8 by the mark at its beginning alone.
  download(`mesa-${dayInTijuana(now)}.csv`, 'text/csv', ['\ufeff', csvHeading, ...lines]);
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
