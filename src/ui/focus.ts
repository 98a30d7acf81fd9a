// Focus handlers for `ref` of elements that appear or disappear.

/** Focuses an element that replaces another. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** Focuses an element that replaces the focused one, unless another element has taken the focus in the meantime. */
export const takeLostFocus = (element: HTMLElement | null): void => {
  if (document.activeElement === document.body) element?.focus();
};

/** Passes the focus on when the element is removed. */
export const passFocus =
  (next: (gone: HTMLElement) => Element | null) =>
  (gone: HTMLElement | null): (() => void) =>
  () => {
    if (gone?.contains(document.activeElement)) (next(gone) as HTMLElement | null)?.focus();
  };
