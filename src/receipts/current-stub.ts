/** Stub (the receipt without React) that the page shows; React's receipts have the same class in other places. */
const shownStub = () => document.querySelector<HTMLElement>('quote-form > .stub');

export const hasStub = (): boolean => shownStub() !== null;

/** Removes the stub, because a newer one or React's receipt replaces it. Returns true if the stub had the focus. */
export function removeStub(): boolean {
  const stub = shownStub();
  const hadFocus = stub?.contains(document.activeElement) === true;
  stub?.remove();
  return hadFocus;
}
