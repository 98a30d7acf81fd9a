import { update as words } from '../content/line.ts';
import { wakeOthers } from '../ui/waking.ts';
import { dismiss, toast, toasts } from '../notices/toasts.ts';
import { works } from './busy.ts';

let offer: number | undefined;
let offered: ServiceWorker | null;
let accept: () => void;

const shown = () => toasts.read().find(({ id }) => id === offer);

/** It stands as long as nothing would be interrupted by it, and until its visitor closes it. */
function show(): void {
  const isBusy = works.read().length > 0;
  if (!isBusy) offer ??= toast(words.ready, { duration: Infinity, action: { label: words.accept, run } });
  else if (shown()) {
    dismiss(offer!);
    offer = undefined;
  }
}

/** Where nothing comes of it, it is offered again. */
function run(): void {
  offer = undefined;
  accept();
}

works.subscribe(show);
// One that makes room for newer notices was not closed.
toasts.subscribe(() => shown()?.leaving && (offer = undefined));

/** Offers a new release, also where an earlier one was closed. */
export function offerUpdate(release: ServiceWorker | null, onAccept: () => void): void {
  wakeOthers();
  accept = onAccept;
  if (release !== offered && !shown()) offer = undefined;
  offered = release;
  show();
}
