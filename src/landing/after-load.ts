import { ERASED_KEY } from '../agreements.ts';
import { onlyLanguage } from '../content/bilingual.ts';
import { callOffline } from '../content/status-line.ts';
import { insist, othersWanted, wakeOthers } from '../ui/waking.ts';
import { watchConnection } from '../phone/connection.ts';
import { followLine, showChoice } from '../phone/data-saver.ts';
import { endTabDrafts } from '../phone/end-tab-drafts.ts';
import { openWhatIsLaunched } from '../phone/launch.ts';
import { showForAMoment } from '../phone/line.ts';
import { isSavingData } from '../phone/saving.ts';
import { startWorker } from '../phone/worker.ts';
import { startNavigation } from './sections/navigation-behaviour.ts';

showChoice();
followLine();
startWorker();
if (!isSavingData() && navigator.onLine && !document.documentElement.hasAttribute('data-own-face'))
  void insist(() => import('./own-face.ts')).then(({ putOnOwnFace }) => putOnOwnFace());
const language = onlyLanguage();
if (language) void insist(() => import('../phone/show-language.ts')).then(({ showLanguage }) => showLanguage(language));

// Another tab has erased everything.
addEventListener('storage', ({ key }) => key === ERASED_KEY && endTabDrafts());
if (!document.documentElement.dataset['page']) {
  watchConnection();
  startNavigation();
  // Engines older than `<details name>` leave each answer open beside the next.
  if (!('name' in HTMLDetailsElement.prototype)) void insist(() => import('./sections/one-answer.ts'));
  openWhatIsLaunched();
  // React brings the words of the way back. A phone that saves data gets them only from the worker.
  if ('quotes' in document.documentElement.dataset && (!isSavingData() || navigator.serviceWorker?.controller))
    wakeOthers();
  void (isSavingData() ? othersWanted : Promise.resolve())
    .then(() => insist(() => import('../voice/start.ts')))
    .then(({ startVoice }) => startVoice(() => showForAMoment(callOffline, false)));
  if (!isSavingData()) {
    // The drawing beneath is complete without it.
    for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-src]'))
      picture.src = picture.dataset['src']!;
  }
}
