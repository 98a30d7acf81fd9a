import { isSavingData } from '../phone/saving.ts';
import { tryStorage } from '../phone/storage-access.ts';

const HINT = { after: 2000, lasts: 3000 };
const TEASER = { after: 4000, lasts: 6000 };
/** When they were shown, and nothing else: another tab, or the same page after lunch, is the same visit. */
const SHOWN = 'aeropuente.voice-hints';
const VISIT = 6 * 60 * 60_000;

/** Once per visit, and not at all for who saves data. What is seen of them hangs on the attributes of the island. */
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
    // Two tabs may have begun at once. Where nobody looks, nothing is shown, and nothing counts as shown.
    if (document.hidden || 'hiddenByForm' in dataset || wasShown()) return end();
    tryStorage(() => localStorage.setItem(SHOWN, `${Date.now()}`));
    dataset['hint'] = '';
  });
  at(HINT.after + HINT.lasts, () => delete dataset['hint']);
  // The teaser would stand in the way of a visitor who is writing.
  at(TEASER.after, () => !touched && !document.activeElement?.closest('form') && (dataset['teaser'] = ''));
  at(TEASER.after + TEASER.lasts, end);

  button.addEventListener('click', end);
  // A visitor who has begun to read or write needs no invitation, and none may lie over what is walked to by keyboard.
  for (const type of ['keydown', 'input']) addEventListener(type, end, { once: true });
  for (const type of ['pointerenter', 'focus'])
    button.addEventListener(type, () => {
      touched = true;
      delete dataset['teaser'];
    });
}

/** A clock that was set back must not keep them away. */
const wasShown = () => Math.abs(Date.now() - Number(tryStorage(() => localStorage.getItem(SHOWN)))) < VISIT;
