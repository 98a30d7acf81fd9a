let shown: HTMLElement | undefined;

/** In place of what was shown before. */
export function setStub(stub: HTMLElement): void {
  shown?.remove();
  shown = stub;
}

export const hasStub = (): boolean => shown !== undefined;

/** The receipt itself stands in its place now. True if the stub had the focus. */
export function takeStubAway(): boolean {
  const hadFocus = shown?.contains(document.activeElement) === true;
  shown?.remove();
  shown = undefined;
  return hadFocus;
}
