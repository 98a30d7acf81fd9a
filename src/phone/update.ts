import { update as words } from '../content/line.ts';
import { wakeOthers } from '../ui/waking.ts';
import { dismiss, toast } from '../notices/toasts.ts';
import { works } from './busy.ts';

/** The offer of a new release stands as long as nothing would be interrupted by it. */
export function offerUpdate(accept: () => void): void {
  wakeOthers();
  let offer: number | undefined;
  const show = () => {
    if (offer !== undefined) dismiss(offer);
    const isBusy = works.read().length > 0;
    offer = isBusy
      ? undefined
      : toast(words.ready, { duration: Infinity, action: { label: words.accept, run: accept } });
  };
  show();
  works.subscribe(show);
}
