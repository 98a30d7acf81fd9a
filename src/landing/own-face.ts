/**
 * Pixels of movement below which Chromium counts no layout shift
 * (https://wicg.github.io/layout-instability/#sec-terminology).
 */
const SHIFT = 3;

/**
 * On a first visit, replaces the phone's typeface by the site's own, once the worker has fetched it. If visible content
 * would shift, the typeface changes only at the next visit.
 */
export async function putOnOwnFace(): Promise<void> {
  const root = document.documentElement;
  try {
    // The worker fetches the typeface with the other files; a second request for it would slow a weak connection.
    if (!import.meta.env.DEV) await workerControl();
    await document.fonts.load('600 1em "Barlow Condensed"');
  } catch {
    return; // The signal was lost.
  }
  const parts = [...document.querySelectorAll('body > :not(main), main > *')];
  // Each part below the screen is laid out in a task of its own: laying out the whole page at once would delay a touch
  // on a slow phone. The root element comes last and gives the typeface to content that is added later.
  let visible: readonly Element[] = [];
  let foundAt: number | undefined;
  for (const group of [parts.filter(isOnScreen), ...parts.map((part) => [part]), [root]]) {
    // Visible elements are searched once for each scroll position, because a search takes as long as a layout.
    while (foundAt !== scrollY) {
      foundAt = scrollY;
      visible = visibleElements();
      await nextTask();
    }
    if (!setOwnFace(group, visible)) return;
    await nextTask();
  }
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

/**
 * Visible elements without children: an element with children also changes its size with content outside the screen.
 * Closed answers are skipped: reading their position makes Chromium lay out each one.
 */
const visibleElements = () =>
  [...document.querySelectorAll('body *')].filter(
    (element) =>
      !element.childElementCount && !element.closest('details:not([open]) > :not(summary)') && isOnScreen(element),
  );

/** Resolves once a worker controls this page; at once if the browser has no workers. */
async function workerControl(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker && !serviceWorker.controller)
    await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}

/**
 * Sets the typeface on all parts and returns true. If visible content would shift, sets it on none and returns false.
 */
function setOwnFace(parts: readonly Element[], visible: readonly Element[]): boolean {
  const set = (on: boolean) => parts.forEach((part) => part.toggleAttribute('data-own-face', on));
  const places = () => visible.map((element) => element.getBoundingClientRect());
  const previous = places();
  set(true);
  const moved = places().some((place, index) => hasMoved(place, previous[index]!));
  if (moved) set(false);
  return !moved;
}

function isOnScreen(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/** Compares the vertical middles of two boxes: on the same line, typefaces differ in ascent and descent. */
const hasMoved = (one: DOMRect, other: DOMRect) =>
  Math.hypot(one.x - other.x, (one.top + one.bottom - other.top - other.bottom) / 2) >= SHIFT;
