import { quoteForm as words } from '../content/quote-form.ts';
import { wordsOf } from '../ui/words.ts';
import { isSending } from './sent.ts';

type Phase = 'saving' | 'sending';

/** Returns what shows the phase of a press: in the words of the button, in its marks, and in fields that take nothing. */
export function createBusyButton(form: HTMLFormElement): (phase: Phase | undefined, isCorrection: boolean) => void {
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
  return (phase, isCorrection) => {
    const isBusy = phase !== undefined;
    const rest = isCorrection ? words.sendCorrection : words.send;
    for (const element of [form, button]) element.setAttribute('aria-busy', String(isBusy));
    form.closest('quote-form')!.toggleAttribute('data-pressed', phase === 'saving');
    form.querySelector('fieldset')!.disabled = isBusy;
    button.lastElementChild!.replaceChildren(...wordsOf(phase === 'sending' ? words.sending : rest));
    isSending.set(isBusy);
  };
}
