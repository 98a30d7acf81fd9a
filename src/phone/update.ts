import { update as words } from '../content/line.ts';
import { wakeOthers } from '../ui/waking.ts';
import { dismiss, toast, toasts } from '../notices/toasts.ts';
import { works } from './busy.ts';

/** The offer of a new release stands as long as nothing would be interrupted by it, and until its visitor closes it. */
export function offerUpdate(accept: () => void): void {
  wakeOthers();
  let offer: number | undefined;
  const show = () => {
    const isBusy = works.read().length > 0;
    if (!isBusy) offer ??= toast(words.ready, { duration: Infinity, action: { label: words.accept, run: accept } });
    else if (toasts.read().some(({ id }) => id === offer)) {
      dismiss(offer!);
      offer = undefined;
    }
  };
  show();
  works.subscribe(show);
}
