import { quoteForm as words } from '../content/quote-form.ts';
import { wordsOf } from '../ui/words.ts';
import { isSending } from './form-state.ts';

type Phase = 'saving' | 'sending';

/** Returns a function that shows the phase of sending: it changes the button's text and disables the fields. */
export function createBusyButton(form: HTMLFormElement): (phase: Phase | undefined, isCorrection: boolean) => void {
  const button = form.querySelector<HTMLButtonElement>('[type=submit]')!;
  return (phase, isCorrection) => {
    const isBusy = phase !== undefined;
    const idleWords = isCorrection ? words.sendCorrection : words.send;
    for (const element of [form, button]) element.setAttribute('aria-busy', String(isBusy));
    form.closest('quote-form')!.toggleAttribute('data-pressed', phase === 'saving');
    form.querySelector('fieldset')!.disabled = isBusy;
    button.lastElementChild!.replaceChildren(...wordsOf(phase === 'sending' ? words.sending : idleWords));
    isSending.set(isBusy);
  };
}
