/** Chromium counts no move below it as a shift. (https://wicg.github.io/layout-instability/#sec-terminology) */
const SEEN = 3;

/**
 * A phone's first visit is painted in a face of the phone. The own one takes over once the worker has it, unless
 * something on the screen would move for it: then it waits for the next visit, for which it is here.
 */
export async function putOnOwnFace(): Promise<void> {
  const root = document.documentElement;
  try {
    // The worker fetches the face with the rest of the site; a second request would slow a weak line.
    if (!import.meta.env.DEV) await control();
    await document.fonts.load('600 1em "Barlow Condensed"');
  } catch {
    return; // The signal was lost.
  }
  const parts = [...document.querySelectorAll('body > :not(main), main > *')];
  // A task for each of the others: laying out the whole page at once delays the first touch of a slow phone.
  // Then the root, for what the page shows later.
  for (const group of [parts.filter(isOnScreen), ...parts.map((part) => [part]), [root]]) {
    if (!putOn(group)) return;
    await new Promise((resolve) => setTimeout(resolve));
  }
}

/** Resolves once a worker controls this page, if the browser has workers. */
async function control(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker && !serviceWorker.controller)
    await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}

/** All of them or, if something on the screen moved, none. */
function putOn(parts: readonly Element[]): boolean {
  const set = (on: boolean) => parts.forEach((part) => part.toggleAttribute('data-own-face', on));
  // Elements without parts: one that holds others grows with what is far below. Nothing in a closed answer: asked
  // where it is, Chromium lays out each again.
  const seen = [...document.querySelectorAll('body *')].filter(
    (element) =>
      !element.childElementCount && !element.closest('details:not([open]) > :not(summary)') && isOnScreen(element),
  );
  const places = () => seen.map((element) => element.getBoundingClientRect());
  const before = places();
  set(true);
  const moved = places().some((place, index) => hasMoved(place, before[index]!));
  if (moved) set(false);
  return !moved;
}

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Compares the middles: two faces may reach differently far above and below the same line. */
const hasMoved = (one: DOMRect, other: DOMRect) =>
  Math.hypot(one.x - other.x, (one.top + one.bottom - other.top - other.bottom) / 2) >= SEEN;
