/** Time enough for a frame and a touch between two of them. */
const BETWEEN = 50;

/**
 * A new visit is painted with the sections below laid out only as they come near (src/before-paint.ts). This lays out
 * the rest, one after the other, so that from then on everything is where it is and a long way ends where it should.
 */
export async function layOutSections(): Promise<void> {
  const { dataset } = document.documentElement;
  if (!('arriving' in dataset)) return;
  for (const section of document.querySelectorAll<HTMLElement>('main section')) {
    await new Promise((resolve) => setTimeout(resolve, BETWEEN));
    section.style.contentVisibility = 'visible';
  }
  delete dataset['arriving'];
}
