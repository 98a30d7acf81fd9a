import { newId } from '../../lead/quote.ts';
import { readExportedRow, readExportRow, type ExportRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';

const LAST = 5;

/** Records an export. Returns the ids that the database recorded. */
export async function storeExport(ids: readonly string[], what: string): Promise<readonly string[]> {
  // A PostgreSQL array literal, because the server accepts no JSON array here.
  const act = { id: newId(), kind: 'exporte', leads: `{${ids.join(',')}}`, what };
  const stored = await rows(backend.from('desk_acts').insert(act).select('leads'), readExportedRow);
  return stored.flatMap(({ leads }) => leads);
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
