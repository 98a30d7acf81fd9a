import { isSavingData } from '../phone/is-saving-data.ts';
import { persistedText } from '../phone/persisted.ts';
import styles from './Bubbles.module.css';

const HINT = { after: 2000, lasts: 3000 };
const TEASER = { after: 4000, lasts: 6000 };
/** Mark that the bubbles were shown. It is in sessionStorage, which lasts as long as the visit. */
const shown = persistedText('aeropuente.voice-hints', () => sessionStorage);

/** Shows the two speech bubbles once in a visit, and never in data saver mode: first the hint, then the teaser. */
export function startHints(island: HTMLElement, button: HTMLElement): void {
  if (isSavingData()) return;
  const { dataset } = island;
  const lift = () => liftOffControls(island);
  let hasEnded = false;
  const end = () => {
    hasEnded = true;
    delete dataset['hint'];
    delete dataset['teaser'];
  };
  const schedule = (time: number, step: () => void) => setTimeout(() => hasEnded || step(), time);
  let touched = false;
  schedule(HINT.after, () => {
    // In a hidden tab the bubbles are not shown, and they do not count as shown.
    if (document.hidden || 'hiddenByForm' in dataset || shown.get()) return end();
    shown.set('1');
    dataset['hint'] = '';
    lift();
  });
  schedule(HINT.after + HINT.lasts, () => delete dataset['hint']);
  // The teaser, the second bubble, is not shown while the visitor fills in a form, because it would disturb.
  schedule(TEASER.after, () => {
    if (touched || document.activeElement?.closest('form')) return;
    dataset['teaser'] = '';
    lift();
  });
  schedule(TEASER.after + TEASER.lasts, end);

  button.addEventListener('click', end);
  // The bubbles disappear when the visitor types: the visitor needs no invitation, and a bubble could cover the focused
  // element.
  for (const type of ['keydown', 'input']) addEventListener(type, end, { once: true });
  for (const type of ['pointerenter', 'focus'])
    button.addEventListener(type, () => {
      touched = true;
      delete dataset['teaser'];
    });
}

const CONTROLS = ':is(main, .way, header) :is(a, button, input, select, textarea, summary), .way';
const STEP = 8;

/** Moves the speech bubbles up until they cover no control of the page. If no such place exists, they do not move. */
function liftOffControls(island: HTMLElement): void {
  const bubbles = island.querySelector<HTMLElement>(`.${styles['bubbles']}`)!;
  bubbles.style.removeProperty('--lift');
  const controls = [...document.querySelectorAll(CONTROLS)].map((control) => control.getBoundingClientRect());
  const { left, right, top, bottom } = bubbles.getBoundingClientRect();
  for (let up = 0; up < top; up += STEP) {
    if (controls.some((box) => box.left < right && box.right > left && box.top < bottom - up && box.bottom > top - up))
      continue;
    bubbles.style.setProperty('--lift', `${up}px`);
    return;
  }
}
