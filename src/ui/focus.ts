// For the `ref` of what a press takes away, or brings.

/** What comes in its place has the focus. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** What goes passes it on: the button that did what it is for, or what something that arrived takes away. */
export const passFocus =
  (next: (gone: HTMLElement) => Element | null) =>
  (gone: HTMLElement | null): (() => void) =>
  () => {
    if (gone?.contains(document.activeElement)) (next(gone) as HTMLElement | null)?.focus();
  };
