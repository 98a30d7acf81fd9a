let current: HTMLElement | undefined;

/** Makes this the current stub, and removes the earlier one from the page. */
export function setStub(stub: HTMLElement): void {
  current?.remove();
  current = stub;
}

export const hasStub = (): boolean => current !== undefined;

/** Removes the stub once React has rendered the receipt. True if the stub had the focus. */
export function removeStub(): boolean {
  const hadFocus = current?.contains(document.activeElement) === true;
  current?.remove();
  current = undefined;
  return hadFocus;
}
