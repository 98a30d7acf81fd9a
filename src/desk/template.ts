import { mainWords } from '../content/bilingual.ts';
import { tryStorage } from '../phone/storage-access.ts';
import { desk } from '../content/desk.ts';

const KEPT = 'aeropuente.desk.template';

/** The words an answer begins with. It names nobody: what stands in braces is filled in quote by quote. */
export const ownTemplate = (): string => tryStorage(() => localStorage.getItem(KEPT)) ?? mainWords(desk.template);

export function keepTemplate(text: string): string {
  tryStorage(() => (text.trim() ? localStorage.setItem(KEPT, text) : localStorage.removeItem(KEPT)));
  return text.trim() ? text : ownTemplate();
}
