/** While the quote form reaches to where the button floats, on a screen where the two would meet. */
export function stepAside(island: HTMLElement): void {
  const form = document.querySelector('#reservar-espacio');
  if (!form) return;
  const narrow = matchMedia('(max-width: 63.99rem)');
  let beneath = false;
  const look = () => island.toggleAttribute('data-aside', beneath && narrow.matches);
  new IntersectionObserver(
    (entries) => {
      beneath = entries.at(-1)!.isIntersecting;
      look();
    },
    { rootMargin: '-65% 0px 0px' },
  ).observe(form);
  narrow.addEventListener('change', look);
}
