/** Lays out the sections that before-paint.ts deferred, one per frame: a touch then waits for a single section. */
export function layOutDeferredSections(): void {
  const { dataset } = document.documentElement;
  const next = document.querySelector<HTMLElement>('section ~ section ~ :not([style])');
  if (next) next.style.contentVisibility = 'visible';
  else delete dataset['above'];
  if ('above' in dataset) requestAnimationFrame(layOutDeferredSections);
}
