let current: HTMLElement | undefined;

/** Makes an element the current stub (the receipt without React), and removes the earlier one from the page. */
export function setStub(stub: HTMLElement): void {
  current?.remove();
  current = stub;
}

export const hasStub = (): boolean => current !== undefined;

/** Removes the stub, because React has rendered the receipt. Returns true if the stub had the focus. */
export function removeStub(): boolean {
  const hadFocus = current?.contains(document.activeElement) === true;
  current?.remove();
  current = undefined;
  return hadFocus;
}
