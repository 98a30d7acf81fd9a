/** Lays out the sections deferred by before-paint.ts, one in each frame: a touch waits for at most one section. */
export function layOutDeferredSections(): void {
  const { dataset } = document.documentElement;
  const next = document.querySelector<HTMLElement>('section ~ section ~ :not([style])');
  if (next) next.style.contentVisibility = 'visible';
  else delete dataset['above'];
  if ('above' in dataset) requestAnimationFrame(layOutDeferredSections);
}
