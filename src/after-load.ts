import { watchConnection } from './pwa/connection.ts';
import { followLine } from './pwa/data-saver.ts';
import { isSavingData } from './pwa/saving.ts';
import { openWhatIsLaunched } from './pwa/launch.ts';
import { startWorker } from './pwa/worker.ts';
import { startNavigation } from './sections/navigation-behaviour.ts';

followLine();
startWorker();
if (!document.documentElement.dataset['page']) {
  watchConnection();
  startNavigation();
  openWhatIsLaunched();
  // The drawing beneath is complete without it.
  if (!isSavingData()) {
    for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-src]'))
      picture.src = picture.dataset['src']!;
  }
}
