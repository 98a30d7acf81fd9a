import type { Bilingual } from '../content/bilingual.ts';
import { notices as words } from '../content/notices.ts';
import { toast } from './toasts.ts';

/** Copies a text and shows a toast about the result, because browsers may refuse to copy. */
export async function copy(text: string, copied: Bilingual): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(copied, { type: 'success', about: 'copy' });
  } catch {
    toast(words.notCopied, { type: 'error', about: 'copy' });
  }
}
