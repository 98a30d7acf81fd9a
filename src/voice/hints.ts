import { isSavingData } from '../pwa/saving.ts';
import { tryStorage } from '../pwa/storage-access.ts';

const HINT = { after: 2000, lasts: 3000 };
const TEASER = { after: 4000, lasts: 6000 };
const SHOWN = 'aeropuente.voice-hints';

/** Once per visit, and not at all for who saves data. What is seen of them hangs on the attributes of the island. */
export function startHints({ dataset }: HTMLElement, button: HTMLElement): void {
  if (isSavingData() || tryStorage(() => sessionStorage.getItem(SHOWN))) return;
  const end = new AbortController();
  const at = (time: number, step: () => void) => {
    const timer = setTimeout(step, time);
    end.signal.addEventListener('abort', () => clearTimeout(timer));
  };
  let touched = false;
  at(HINT.after, () => {
    tryStorage(() => sessionStorage.setItem(SHOWN, '1'));
    dataset['hint'] = '';
  });
  at(HINT.after + HINT.lasts, () => delete dataset['hint']);
  // The teaser would stand in the way of a visitor who is writing.
  at(TEASER.after, () => !touched && !document.activeElement?.closest('form') && (dataset['teaser'] = ''));
  at(TEASER.after + TEASER.lasts, () => end.abort());
  end.signal.addEventListener('abort', () => {
    delete dataset['hint'];
    delete dataset['teaser'];
  });

  button.addEventListener('click', () => end.abort());
  // A visitor who has begun to read or write needs no invitation, and none may lie over what is walked to by keyboard.
  addEventListener('keydown', () => end.abort(), { once: true });
  for (const type of ['pointerenter', 'focus'])
    button.addEventListener(type, () => {
      touched = true;
      delete dataset['teaser'];
    });
}
