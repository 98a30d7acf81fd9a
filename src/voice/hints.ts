import { isSavingData } from '../phone/saving.ts';
import { tryStorage } from '../phone/storage-access.ts';

const HINT = { after: 2000, lasts: 3000 };
const TEASER = { after: 4000, lasts: 6000 };
/** Key in sessionStorage, which lasts as long as a visit. */
const SHOWN = 'aeropuente.voice-hints';

/** Shows hint and teaser once per visit, and never with data saving. Attributes of the island make them visible. */
export function startHints({ dataset }: HTMLElement, button: HTMLElement): void {
  if (isSavingData()) return;
  let over = false;
  const end = () => {
    over = true;
    delete dataset['hint'];
    delete dataset['teaser'];
  };
  const at = (time: number, step: () => void) => setTimeout(() => over || step(), time);
  let touched = false;
  at(HINT.after, () => {
    // A hidden tab shows no hint and counts none as shown.
    if (document.hidden || 'hiddenByForm' in dataset || tryStorage(() => sessionStorage.getItem(SHOWN))) return end();
    tryStorage(() => sessionStorage.setItem(SHOWN, '1'));
    dataset['hint'] = '';
  });
  at(HINT.after + HINT.lasts, () => delete dataset['hint']);
  // The teaser would disturb a visitor who is writing.
  at(TEASER.after, () => !touched && !document.activeElement?.closest('form') && (dataset['teaser'] = ''));
  at(TEASER.after + TEASER.lasts, end);

  button.addEventListener('click', end);
  // A visitor who reads or writes needs no invitation, which could also cover the keyboard focus.
  for (const type of ['keydown', 'input']) addEventListener(type, end, { once: true });
  for (const type of ['pointerenter', 'focus'])
    button.addEventListener(type, () => {
      touched = true;
      delete dataset['teaser'];
    });
}
