import { config } from '../config.ts';
import { answers as words } from '../content/answers.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';

export function toastNotStored(quoteId: string): void {
  toast(words.notKept(config.company.phone), { type: 'error', duration: FORM_DURATION, about: quoteId });
}
