import { readTemplateRow, type TemplateRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';
import { RequestError } from './request-error.ts';

export const readTemplates = (): Promise<readonly TemplateRow[]> =>
  rows(backend.from('desk_templates').select('*').order('place').order('name'), readTemplateRow);

/**
 * Sends a change of a template. Throws if the server changed no row: somebody has removed the template, or this account
 * may not change it.
 */
async function changed(request: Parameters<typeof rows>[0]): Promise<void> {
  if ((await rows(request)).length === 0) throw new RequestError('refused', '', 'Nothing was changed');
}

export function saveTemplate(id: string | undefined, changes: Partial<TemplateRow>): Promise<void> {
  const table = backend.from('desk_templates');
  return changed((id ? table.update(changes).eq('id', id) : table.insert(changes)).select('id'));
}

export const removeTemplate = (id: string): Promise<void> =>
  changed(backend.from('desk_templates').delete().eq('id', id).select('id'));

/** Moves a template up or down in the list. Writes only the templates whose place changes. */
export async function moveTemplate(team: readonly TemplateRow[], from: number, to: number): Promise<void> {
  const order = team.toSpliced(from, 1).toSpliced(to, 0, team[from]!);
  for (const [place, { id, place: oldPlace }] of order.entries())
    if (place !== oldPlace) await saveTemplate(id, { place });
}
