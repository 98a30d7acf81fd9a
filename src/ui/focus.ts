// Functions for the `ref` of elements that appear or disappear.

/** Focuses an element that has taken the place of another. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** Focuses an element that has taken the place of the focused one, unless the focus has moved elsewhere since. */
export const takeLostFocus = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus();
};

/** Returns a `ref` function. If the element is removed while it has the focus, the focus moves to `next`. */
export const passFocus =
  (next: (gone: HTMLElement) => Element | null) =>
  (gone: HTMLElement | null): (() => void) =>
  () => {
    if (gone?.contains(document.activeElement)) (next(gone) as HTMLElement | null)?.focus();
  };
