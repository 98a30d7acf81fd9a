import { mainWords } from '../content/bilingual.ts';
import { notices as words } from '../content/notices.ts';
import { element } from '../ui/element.ts';
import { once } from '../ui/once.ts';
import { plainButton, wholeWordsOf, wordsOf } from '../ui/words.ts';
import styleOf from './Toast.module.css';
import styles from './Toaster.module.css';
import { dismiss, toasts, type Toast } from './toasts.ts';

const GAP = 8;
const ROLES = ['status', 'alert'] as const;

/**
 * Adds the empty live regions to the page before the first toast, because screen readers announce only changes of
 * existing regions.
 */
export const startToaster = once(createToaster);

/** Moves the toasts into this place. The returned function moves them back. */
export const hostToasts = (place: HTMLElement): (() => void) => startToaster().host(place);

function createToaster() {
  /**
   * Elements that can hold the toasts; the last of them does. An open dialog adds an element inside itself, because it
   * makes the rest of the page inert.
   */
  const places = [document.body];
  const cards = new Map<symbol, HTMLElement>();
  const groups = ROLES.map((role) => element('div', { role, 'aria-atomic': 'false' }));
  const toaster = element('section', { class: styles['toaster']!, 'aria-label': mainWords(words.label) }, ...groups);
  /** Element that had the focus before the focus moved to a toast. */
  let previousFocus: HTMLElement | undefined;

  toaster.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !toaster.contains(relatedTarget)) previousFocus = relatedTarget;
  });

  /** Moves the focus from a closed toast to another toast or, if there is none, back to where it was before. */
  function passFocus(from: HTMLElement): void {
    const others = toaster.querySelectorAll<HTMLElement>('button:last-child');
    const next = [...others].find((close) => !from.contains(close));
    (next ?? previousFocus)?.focus();
  }

  function show(): void {
    const all = toasts.read();
    for (const [id, shown] of cards)
      if (!all.some((toast) => toast.id === id)) {
        shown.remove();
        cards.delete(id);
      }
    for (const toast of all) {
      const shown = cards.get(toast.id) ?? createCard(toast, passFocus);
      if (!cards.has(toast.id)) groups[toast.type === 'error' ? 1 : 0]!.append(shown);
      cards.set(toast.id, shown);
      shown.toggleAttribute('data-leaving', toast.leaving);
    }
    keepClear(toaster);
  }

  function moveToLast(): void {
    places.at(-1)!.append(toaster);
    keepClear(toaster);
  }

  moveToLast();
  toasts.subscribe(show);
  show();
  return {
    host(place: HTMLElement) {
      places.push(place);
      moveToLast();
      return () => {
        places.splice(places.lastIndexOf(place), 1);
        moveToLast();
      };
    },
  };
}

/**
 * Creates the element of a toast. `passFocus` is called when the visitor closes the toast with a key: the focus is then
 * in the toast and would be lost.
 */
function createCard({ id, type, text, duration, action }: Toast, passFocus: (card: HTMLElement) => void): HTMLElement {
  const close = element(
    'button',
    { class: styleOf['close']!, type: 'button' },
    element('span', { 'aria-hidden': 'true' }, '×'),
    element('span', { class: 'hidden' }, ...wordsOf(words.close)),
  );
  const act = action && plainButton(action.label, () => [action.run(), dismiss(id)]);
  const card = element(
    'div',
    { class: `${styleOf['toast']} ${styleOf[type]}` },
    element('p', {}, ...wholeWordsOf(text)),
    ...(act ? [act, close] : [close]),
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = () => clearTimeout(timer);
  const run = () => {
    hold();
    // `setTimeout` with an infinite time would run at once.
    if (Number.isFinite(duration) && !card.matches(':hover, :focus-within'))
      timer = setTimeout(() => dismiss(id), duration);
  };
  close.addEventListener('click', ({ detail }) => {
    if (detail === 0) passFocus(card);
    dismiss(id);
  });
  card.addEventListener('pointerenter', hold);
  card.addEventListener('pointerleave', run);
  card.addEventListener('focusin', hold);
  card.addEventListener('focusout', () => setTimeout(run));
  run();
  return card;
}

/** Scrolls if a toast covers the focused element. */
function keepClear(toaster: HTMLElement): void {
  const holdsAny = toasts.read().length > 0;
  const { top, bottom, left, height } = toaster.getBoundingClientRect();
  // The property is set on the dialog only. On the root element it would restyle the whole page.
  toaster.closest('dialog')?.style.setProperty('--notices', `${height}px`);
  document.documentElement.style.scrollPaddingTop = holdsAny ? `${bottom + GAP}px` : '';
  const active = document.activeElement;
  if (!holdsAny || !active || active === document.body || toaster.contains(active)) return;
  const box = active.getBoundingClientRect();
  if (box.top < bottom && box.bottom > top && box.right > left) scrollBy({ top: box.top - bottom - GAP });
}
