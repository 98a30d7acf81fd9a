/**
 * Pixels by which content may move before Chromium counts a layout shift
 * (https://wicg.github.io/layout-instability/#sec-terminology).
 */
const SHIFT = 3;

/**
 * Changes the page from the phone's typeface to the site's own, once the worker has fetched it on a first visit. If
 * visible content would move, the change waits until the next visit.
 */
export async function putOnOwnFace(): Promise<void> {
  const root = document.documentElement;
  try {
    // The worker fetches the typeface with the other files. This page waits for the worker, because a second download
    // would slow a weak connection.
    if (!import.meta.env.DEV) await workerControl();
    await document.fonts.load('600 1em "Barlow Condensed"');
  } catch {
    return; // The connection was lost.
  }
  const parts = [...document.querySelectorAll('body > :not(main), main > *')];
  // Each part below the screen gets the typeface in a separate task: laying out the whole page in one task would delay
  // a touch on a slow phone. The root element is the last, for content that is added later.
  let visible: readonly Element[] = [];
  let foundAt: number | undefined;
  for (const group of [parts.filter(isOnScreen), ...parts.map((part) => [part]), [root]]) {
    // The visible elements are searched again only after a scroll, because each search takes as long as a layout.
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
 * Returns the visible elements that have no children: the size of an element with children also depends on content
 * outside the screen. Content of a closed `details` is skipped: Chromium would lay it out to know its position.
 */
const visibleElements = () =>
  [...document.querySelectorAll('body *')].filter(
    (element) =>
      !element.childElementCount && !element.closest('details:not([open]) > :not(summary)') && isOnScreen(element),
  );

/** Resolves once a worker controls this page, or at once if the browser has no workers. */
async function workerControl(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker && !serviceWorker.controller)
    await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }));
}

/** Sets the typeface on the parts and returns true. If visible content would move, undoes this and returns false. */
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

/**
 * True if a box has moved. The vertical middles are compared, because top and bottom differ between typefaces even on
 * the same line.
 */
const hasMoved = (one: DOMRect, other: DOMRect) =>
  Math.hypot(one.x - other.x, (one.top + one.bottom - other.top - other.bottom) / 2) >= SHIFT;
