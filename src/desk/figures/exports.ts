import { csvHeading, csvLine } from '../../lead/csv.ts';
import { dayInTijuana } from '../../lead/tijuana.ts';
import { MOST_EXPORTED } from '../../lead/vocabulary.ts';
import { download } from '../../ui/download.ts';
import { storeExport } from '../api/exports.ts';
import type { Lead } from '../lead/lead.ts';

/**
 * Saves leads to a CSV file. First the database records the export, 300 leads at a time; the file has only recorded
 * leads.
 */
export async function exportCsv(leads: readonly Lead[], what: string, now: number): Promise<void> {
  const counted = new Set<string>();
  for (let from = 0; from === 0 || from < leads.length; from += MOST_EXPORTED) {
    const ids = leads.slice(from, from + MOST_EXPORTED).map(({ quote_id }) => quote_id);
    for (const id of await storeExport(ids, what)) counted.add(id);
  }
  const lines = leads
    .filter(({ quote_id }) => counted.has(quote_id))
    .map((lead) => csvLine({ ...lead, id: lead.quote_id }));
  // Excel recognises UTF-8 only if the file begins with a byte order mark.
  download(`mesa-${dayInTijuana(now)}.csv`, 'text/csv', ['\ufeff', csvHeading, ...lines]);
}
