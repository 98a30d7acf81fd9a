import { pageUpdate as words } from '../content/status-line.ts';
import { hydrateOthers } from '../ui/hydration.ts';
import { dismiss, toast, toasts } from '../notices/toasts.ts';
import { works } from './busy.ts';

function createUpdateOffer() {
  let offer: symbol | undefined;
  let offeredRelease: ServiceWorker | null;
  let accept: () => void;

  const shown = () => toasts.read().find(({ id }) => id === offer);

  /** Offers the update once a reload would lose no unfinished work, unless the visitor has closed the offer. */
  function show(): void {
    const isBusy = works.read().length > 0;
    if (!isBusy) offer ??= toast(words.ready, { duration: Infinity, action: { label: words.accept, run } });
    else if (shown()) {
      dismiss(offer!);
      offer = undefined;
    }
  }

  /** Accepts the update. `offer` is emptied, so that the update can be offered again if it fails. */
  function run(): void {
    offer = undefined;
    accept();
  }

  works.subscribe(show);
  // Newer toasts may remove the toast of an update from the screen. The visitor did not close that toast, so the page
  // may show it again.
  toasts.subscribe(() => shown()?.leaving && (offer = undefined));

  /** Offers a new release, even if the visitor closed the offer of an earlier release. */
  return (release: ServiceWorker | null, onAccept: () => void): void => {
    hydrateOthers();
    accept = onAccept;
    if (release !== offeredRelease && !shown()) offer = undefined;
    offeredRelease = release;
    show();
  };
}

export const offerUpdate = createUpdateOffer();
