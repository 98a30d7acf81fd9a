import { ERASED_KEY } from '../agreements.ts';
import { onlyLanguage } from '../content/bilingual.ts';
import { callOffline } from '../content/status-line.ts';
import { loadWithRetry, othersRequested, hydrateOthers } from '../ui/hydration.ts';
import { watchConnection } from '../phone/connection.ts';
import { followLine, showChoice } from '../phone/data-saver.ts';
import { endTabDrafts } from '../phone/end-tab-drafts.ts';
import { followLaunches } from '../phone/launches.ts';
import { showForAMoment } from '../phone/status-line.ts';
import { isSavingData } from '../phone/is-saving-data.ts';
import { startWorker } from '../phone/worker.ts';
import { startNavigation } from './sections/navigation-behaviour.ts';

showChoice();
followLine();
startWorker();
if (!isSavingData() && navigator.onLine && !document.documentElement.hasAttribute('data-own-face'))
  void loadWithRetry(() => import('./own-face.ts')).then(({ putOnOwnFace }) => putOnOwnFace());
const language = onlyLanguage();
if (language)
  void loadWithRetry(() => import('../phone/show-language.ts')).then(({ showLanguage }) => showLanguage(language));

// Another tab has erased the data of the phone, so this tab's drafts are deleted too.
addEventListener('storage', ({ key }) => key === ERASED_KEY && endTabDrafts());
if (!document.documentElement.dataset['page']) {
  watchConnection();
  startNavigation();
  const { modelContext } = document as { readonly modelContext?: EventTarget };
  if (modelContext)
    void loadWithRetry(() => import('./agent-tool.ts')).then(({ offerForm }) => offerForm(modelContext));
  // Browsers without `<details name>` do not close the other answers, so a script does.
  if (!('name' in HTMLDetailsElement.prototype)) void loadWithRetry(() => import('./sections/one-answer.ts'));
  followLaunches();
  // The line above the hero gets its text when the list is hydrated. With data saving this happens only if the worker
  // has the files.
  if ('quotes' in document.documentElement.dataset && (!isSavingData() || navigator.serviceWorker?.controller))
    hydrateOthers();
  void (isSavingData() ? othersRequested : Promise.resolve())
    .then(() => loadWithRetry(() => import('../voice/start.ts')))
    .then(({ startVoice }) => startVoice(() => showForAMoment(callOffline, false)));
  if (!isSavingData()) {
    // Pictures are loaded last: they cover drawings that are complete without them.
    for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-src]'))
      picture.src = picture.dataset['src']!;
  }
}
