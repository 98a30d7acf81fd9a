import { mainWords } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import { deskTemplates as words } from '../../content/desk-templates.ts';
import type { TemplateRow } from '../../lead/rows.ts';
import { createStore } from '../../ui/create-store.ts';
import { readTemplates } from '../api/templates.ts';
import { filledIn } from './drafts.ts';
import { cargoOf, type Lead } from '../lead/lead.ts';

export type Template = Pick<
  TemplateRow,
  'id' | 'name' | 'body' | 'body_en' | 'kind' | 'lines' | 'price_for' | 'currency'
>;

/** Templates of the whole team; undefined until they arrive. */
export const templates = createStore<readonly TemplateRow[] | undefined>(undefined);

export async function loadTemplates(): Promise<void> {
  templates.set(await readTemplates());
}

/** Returns the templates that the form offers: the team's, or a built-in one while the team has none. */
export const choicesOf = (team: readonly TemplateRow[] = []): readonly Template[] => (team.length > 0 ? team : [FIRST]);

const FIRST: Template = {
  id: 'first',
  name: mainWords(words.first),
  body: mainWords(deskAnswer.template),
  body_en: null,
  kind: 'oferta',
  lines: null,
  price_for: null,
  currency: null,
};

export const wordsOf = ({ body, body_en }: Template, lead: Lead): string =>
  filledIn(body_en ? `${body}\n\n${body_en}` : body, lead, [
    ['{peso}', lead.peso?.toLocaleString('es-MX') ?? '…'],
    ['{carga}', cargoOf(lead)],
    ['{folio}', lead.folio],
  ]);

export const isEmptyLine = (text: string, from: number, to: number): boolean =>
  /(^|\n)$/.test(text.slice(0, from)) && /^(\n|$)/.test(text.slice(to));

/** Puts the template on the empty line at the cursor, otherwise at the end. */
export function putIn(text: string, from: number, to: number, more: string): string {
  return isEmptyLine(text, from, to) ? text.slice(0, from) + more + text.slice(to) : `${text.trimEnd()}\n\n${more}`;
}
