import { hostToasts } from './toaster.ts';

/** Place of the toasts while a modal dialog is open. */
export function Toaster() {
  return <div ref={(place) => (place ? hostToasts(place) : undefined)} />;
}
