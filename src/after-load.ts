import { registerWorker } from './pwa/worker.ts';
import { startNavigation } from './sections/navigation-behaviour.ts';

const TRY_AGAIN = 10_000;

registerWorker();
if (!document.documentElement.dataset['page']) {
  startNavigation();
  void offerVoice();
}

/** The signal may go before its chunk came. */
function offerVoice(): Promise<unknown> {
  return import('./voice/start.tsx').then(
    ({ startVoice }) => startVoice(),
    () => setTimeout(() => void offerVoice(), TRY_AGAIN),
  );
}
