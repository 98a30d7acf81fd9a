import { mainWords } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import { deskTemplates as words } from '../content/desk-templates.ts';
import { readTemplateRow, type TemplateRow } from '../lead/rows.ts';
import { createStore } from '../ui/create-store.ts';
import { backend, rows, Trouble } from './backend.ts';
import { filledIn } from './drafts.ts';
import { cargoOf, type Lead } from './lead.ts';

export type Template = Pick<TemplateRow, 'id' | 'name' | 'body' | 'body_en' | 'kind'>;

/** Templates of the whole team; undefined until they arrive. */
export const templates = createStore<readonly TemplateRow[] | undefined>(undefined);

export async function hearTemplates(): Promise<void> {
  templates.set(await rows(backend.from('desk_templates').select('*').order('place').order('name'), readTemplateRow));
}

/** Templates in the order in which they are offered; a built-in one until the team has its own. */
export const choicesOf = (team: readonly TemplateRow[] = []): readonly Template[] => (team.length > 0 ? team : [FIRST]);

const FIRST: Template = {
  id: 'first',
  name: mainWords(words.first),
  body: mainWords(desk.template),
  body_en: null,
  kind: 'oferta',
};

export const wordsOf = ({ body, body_en }: Template, lead: Lead): string =>
  filledIn(body_en ? `${body}\n\n${body_en}` : body, lead, [
    ['{peso}', lead.peso?.toLocaleString('es-MX') ?? '…'],
    ['{carga}', cargoOf(lead)],
    ['{folio}', lead.folio],
  ]);

/** Is there nothing beside what is selected, on its line? */
export const isEmptyLine = (text: string, from: number, to: number): boolean =>
  /(^|\n)$/.test(text.slice(0, from)) && /^(\n|$)/.test(text.slice(to));

/** In the place of an empty line, or after everything. */
export function putIn(text: string, from: number, to: number, more: string): string {
  return isEmptyLine(text, from, to) ? text.slice(0, from) + more + text.slice(to) : `${text.trimEnd()}\n\n${more}`;
}

/** What changed nothing was not ours to change, or is gone. */
async function changed(request: Parameters<typeof rows>[0]): Promise<void> {
  if ((await rows(request)).length === 0) throw new Trouble('refused', '', 'Nothing was changed');
}

export function saveTemplate(id: string | undefined, changes: Partial<TemplateRow>): Promise<void> {
  const table = backend.from('desk_templates');
  return changed((id ? table.update(changes).eq('id', id) : table.insert(changes)).select('id'));
}

export const removeTemplate = (id: string): Promise<void> =>
  changed(backend.from('desk_templates').delete().eq('id', id).select('id'));

/** One place up or down: only what stands elsewhere afterwards is written. */
export async function moveTemplate(team: readonly TemplateRow[], from: number, to: number): Promise<void> {
  const order = team.toSpliced(from, 1).toSpliced(to, 0, team[from]!);
  for (const [place, { id, place: before }] of order.entries()) if (place !== before) await saveTemplate(id, { place });
}
