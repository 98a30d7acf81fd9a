import { FORM_ID } from '../agreements.ts';

const CONTROLS = 'a, button, input, select, textarea, summary, label';
/** Milliseconds without scrolling after which the page counts as still. */
const REST = 120;

/** Moves the call button half off the screen while it would cover a control or a text of the page. */
export function avoidControls(island: HTMLElement, button: HTMLElement): void {
  const place = button.parentElement!;
  let timer: ReturnType<typeof setTimeout>;
  const look = () => {
    // The button itself may already be moved aside, so its parent element is measured, which stays in the usual place.
    const { right, bottom } = place.getBoundingClientRect();
    const box = new DOMRect(
      right - button.offsetWidth,
      bottom - button.offsetHeight,
      button.offsetWidth,
      button.offsetHeight,
    );
    island.toggleAttribute('data-aside', isInUse(box, island));
  };
  const whenAtRest = () => {
    clearTimeout(timer);
    timer = setTimeout(look, REST);
  };
  for (const type of ['scroll', 'resize', 'focusin', 'toggle']) addEventListener(type, whenAtRest, true);
  look();
  hideBubblesOverForm(island);
}

/** True if this box of the window contains a control or a text of the page. */
function isInUse(box: DOMRect, except: Element): boolean {
  const xs = [box.left + 2, (box.left + box.right) / 2, box.right - 2];
  const ys = [box.top + 2, (box.top + box.bottom) / 2, box.bottom - 2];
  return xs.some((x) =>
    ys.some((y) => {
      const beneath = document.elementsFromPoint(x, y).find((element) => !except.contains(element));
      return beneath !== undefined && (beneath.closest(CONTROLS) !== null || hasTextIn(beneath, box));
    }),
  );
}

function hasTextIn(element: Element, { left, right, top, bottom }: DOMRect): boolean {
  return [...element.childNodes].some((node) => {
    if (node.nodeType !== Node.TEXT_NODE) return false;
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].some(
      (line) => line.left < right && line.right > left && line.top < bottom && line.bottom > top,
    );
  });
}

/**
 * Hides the speech bubbles on narrow screens while the form is in the lowest third of the screen, because the bubbles
 * would cover the form.
 */
function hideBubblesOverForm(island: HTMLElement): void {
  const form = document.querySelector(`#${FORM_ID}`);
  if (!form) return;
  const narrow = matchMedia('(max-width: 63.99rem)');
  let beneath = false;
  const look = () => island.toggleAttribute('data-hidden-by-form', beneath && narrow.matches);
  new IntersectionObserver(
    (entries) => {
      beneath = entries.at(-1)!.isIntersecting;
      look();
    },
    { rootMargin: '-65% 0px 0px' },
  ).observe(form);
  narrow.addEventListener('change', look);
}
