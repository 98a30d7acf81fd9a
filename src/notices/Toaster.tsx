import { hostToasts } from './toaster.ts';

/** Place of the toasts in a modal dialog, as long as it is open. */
export function Toaster() {
  return <div ref={(place) => (place ? hostToasts(place) : undefined)} />;
}
