/**
 * Returns the stub that the page shows, a receipt without React. Receipts made by React have the same class, but their
 * parent is not <quote-form>.
 */
const shownStub = () => document.querySelector<HTMLElement>('quote-form > .stub');

export const hasStub = (): boolean => shownStub() !== null;

/**
 * Removes the stub, because another stub or React's receipt takes its place. Returns whether the stub had the focus.
 */
export function removeStub(): boolean {
  const stub = shownStub();
  const hadFocus = stub?.contains(document.activeElement) === true;
  stub?.remove();
  return hadFocus;
}
