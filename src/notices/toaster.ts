import { mainWords } from '../content/bilingual.ts';
import { notices as words } from '../content/notices.ts';
import { element } from '../ui/element.ts';
import { plainButton, wholeWordsOf, wordsOf } from '../ui/words.ts';
import card from './Toast.module.css';
import styles from './Toaster.module.css';
import { dismiss, toasts, type Toast } from './toasts.ts';

const GAP = 8;
const ROLES = ['status', 'alert'] as const;

/** Places for the toasts; the last one holds them, because a modal dialog makes the rest of the page inert. */
const places: HTMLElement[] = [];
const cards = new Map<number, HTMLElement>();
let toaster: HTMLElement | undefined;
/** Element that had the focus before the toasts. */
let previousFocus: HTMLElement | undefined;

/** Adds the empty live regions before the first toast: screen readers only announce changes. */
export function startToaster(): void {
  if (toaster) return;
  const groups = ROLES.map((role) => element('div', { role, 'aria-atomic': 'false' }));
  toaster = element('section', { class: styles['toaster']!, 'aria-label': mainWords(words.label) }, ...groups);
  hostToasts(document.body);
  toasts.subscribe(show);
  show();
}

/** Moves the toasts into this place, until the returned function is called. */
export function hostToasts(place: HTMLElement): () => void {
  const moveToLast = () => {
    if (toaster) places.at(-1)?.append(toaster);
    if (toaster) keepClear(toaster);
  };
  places.push(place);
  moveToLast();
  return () => {
    places.splice(places.lastIndexOf(place), 1);
    moveToLast();
  };
}

function show(): void {
  const all = toasts.read();
  for (const [id, shown] of cards)
    if (!all.some((toast) => toast.id === id)) {
      shown.remove();
      cards.delete(id);
    }
  for (const toast of all) {
    const shown = cards.get(toast.id) ?? add(toast);
    shown.toggleAttribute('data-leaving', toast.leaving);
  }
  keepClear(toaster!);
}

function add(toast: Toast): HTMLElement {
  const { id, type, text, duration, action } = toast;
  const close = element(
    'button',
    { class: card['close']!, type: 'button' },
    element('span', { 'aria-hidden': 'true' }, '×'),
    element('span', { class: 'hidden' }, ...wordsOf(words.close)),
  );
  const act = action && plainButton(action.label, () => [action.run(), dismiss(id)]);
  const added = element(
    'div',
    { class: `${card['toast']} ${card[type]}` },
    element('p', {}, ...wholeWordsOf(text)),
    ...(act ? [act, close] : [close]),
  );

  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = () => clearTimeout(timer);
  const run = () => {
    hold();
    // An infinite time-out would fire at once.
    if (Number.isFinite(duration) && !added.matches(':hover, :focus-within'))
      timer = setTimeout(() => dismiss(id), duration);
  };
  close.addEventListener('click', ({ detail }) => {
    if (detail === 0) passFocus(added);
    dismiss(id);
  });
  added.addEventListener('pointerenter', hold);
  added.addEventListener('pointerleave', run);
  added.addEventListener('focusin', ({ relatedTarget }) => {
    hold();
    if (relatedTarget instanceof HTMLElement && !toaster!.contains(relatedTarget)) previousFocus = relatedTarget;
  });
  added.addEventListener('focusout', () => setTimeout(run));

  cards.set(id, added);
  toaster!.querySelector(`[role=${type === 'error' ? 'alert' : 'status'}]`)!.append(added);
  run();
  return added;
}

/** Moves the focus from a closed toast to the next one, or back to the page. */
function passFocus(from: HTMLElement): void {
  const others = toaster!.querySelectorAll<HTMLElement>('button:last-child');
  const next = [...others].find((close) => !from.contains(close));
  (next ?? previousFocus)?.focus();
}

/** Keeps the focused element clear of the toasts. */
function keepClear(place: HTMLElement): void {
  const holdsAny = cards.size > 0;
  const { top, bottom, left, height } = place.getBoundingClientRect();
  // Set on the dialog that makes room: on the root it would restyle the whole page.
  place.closest('dialog')?.style.setProperty('--notices', `${height}px`);
  document.documentElement.style.scrollPaddingTop = holdsAny ? `${bottom + GAP}px` : '';
  const active = document.activeElement;
  if (!holdsAny || !active || active === document.body || place.contains(active)) return;
  const box = active.getBoundingClientRect();
  if (box.top < bottom && box.bottom > top && box.right > left) scrollBy({ top: box.top - bottom - GAP });
}
