import { isSavingData } from './pwa/saving.ts';

/** Chromium counts no move below it as a shift. (https://wicg.github.io/layout-instability/#sec-terminology) */
const SEEN = 3;

/**
 * A phone's first visit is painted in a face of the phone. The own one is fetched after that and takes over, unless
 * something on the screen would move for it: then it waits for the next visit, for which it is here.
 */
export async function putOnOwnFace(): Promise<void> {
  const { dataset } = document.documentElement;
  if (isSavingData() || !navigator.onLine || 'ownFace' in dataset) return;
  try {
    await document.fonts.load('600 1em "Barlow Condensed"');
  } catch {
    return; // The signal went meanwhile.
  }
  const before = places();
  dataset['ownFace'] = '';
  const after = places();
  if (before.some((place, index) => isOnScreen(place) && hasMoved(place, after[index]!))) delete dataset['ownFace'];
}

/** Of what has no parts: what holds others grows with what is far below. */
const places = () =>
  Array.from(document.querySelectorAll('body *'))
    .filter((element) => element.childElementCount === 0)
    .map((element) => element.getBoundingClientRect());

const isOnScreen = ({ top, bottom }: DOMRect) => bottom > 0 && top < innerHeight;

/** By the middle, because two faces may differ in how far they reach above and below a line that stays where it is. */
const hasMoved = (before: DOMRect, after: DOMRect) =>
  Math.hypot(after.x - before.x, (after.top + after.bottom - before.top - before.bottom) / 2) >= SEEN;
