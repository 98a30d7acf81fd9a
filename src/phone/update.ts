import { pageUpdate as words } from '../content/status-line.ts';
import { hydrateOthers } from '../ui/hydration.ts';
import { dismiss, toast, toasts } from '../notices/toasts.ts';
import { works } from './busy.ts';

let offer: number | undefined;
let offeredRelease: ServiceWorker | null;
let accept: () => void;

const shown = () => toasts.read().find(({ id }) => id === offer);

/** Shows the offer while nobody is busy, until the visitor closes it. */
function show(): void {
  const isBusy = works.read().length > 0;
  if (!isBusy) offer ??= toast(words.ready, { duration: Infinity, action: { label: words.accept, run } });
  else if (shown()) {
    dismiss(offer!);
    offer = undefined;
  }
}

/** Allows a new offer if the update fails. */
function run(): void {
  offer = undefined;
  accept();
}

works.subscribe(show);
// A toast that makes room for newer ones was not closed by the visitor.
toasts.subscribe(() => shown()?.leaving && (offer = undefined));

/** Offers a new release, even if an earlier offer was closed. */
export function offerUpdate(release: ServiceWorker | null, onAccept: () => void): void {
  hydrateOthers();
  accept = onAccept;
  if (release !== offeredRelease && !shown()) offer = undefined;
  offeredRelease = release;
  show();
}
