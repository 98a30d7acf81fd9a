import { hostToasts } from './toaster.ts';

/** Place for the toasts inside an open dialog, which makes the rest of the page inert. */
export function Toaster() {
  return <div ref={(place) => (place ? hostToasts(place) : undefined)} />;
}
