import { FORM_ID } from '../agreements.ts';

/** Hides the button while the quote form reaches it, on screens where both would meet. */
export function avoidForm(island: HTMLElement): void {
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
