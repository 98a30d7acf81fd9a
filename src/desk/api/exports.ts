import { newId } from '../../lead/quote.ts';
import { readExportedRow, readExportRow, type ExportRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';

const LAST = 5;

/** Records which leads are exported. Returns the ids that the database has recorded. */
export async function storeExport(ids: readonly string[], what: string): Promise<readonly string[]> {
  // The ids are written as a PostgreSQL array, because the server accepts no JSON array in this column.
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
