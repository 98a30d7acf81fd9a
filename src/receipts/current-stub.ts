let current: HTMLElement | undefined;

/** In place of what was shown before. */
export function setStub(stub: HTMLElement): void {
  current?.remove();
  current = stub;
}

export const hasStub = (): boolean => current !== undefined;

/** The receipt itself stands in its place now. True if the stub had the focus. */
export function removeStub(): boolean {
  const hadFocus = current?.contains(document.activeElement) === true;
  current?.remove();
  current = undefined;
  return hadFocus;
}
