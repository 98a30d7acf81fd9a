/** Lays out what before-paint.ts has left for after the first paint: a section a frame, so that no touch waits for all. */
export function layOutTheRest(): void {
  const { dataset } = document.documentElement;
  const next = document.querySelector<HTMLElement>('section ~ section ~ :not([style])');
  if (next) next.style.contentVisibility = 'visible';
  else delete dataset['above'];
  if ('above' in dataset) requestAnimationFrame(layOutTheRest);
}
