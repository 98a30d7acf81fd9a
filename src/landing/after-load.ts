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

// If another tab erases the phone's data, the drafts of this tab are deleted too.
addEventListener('storage', ({ key }) => key === ERASED_KEY && endTabDrafts());
if (!document.documentElement.dataset['page']) {
  watchConnection();
  startNavigation();
  const { modelContext } = document as { readonly modelContext?: EventTarget };
  if (modelContext)
    void loadWithRetry(() => import('./agent-tool.ts')).then(({ offerForm }) => offerForm(modelContext));
  // In the list of questions, opening one closes the others. Browsers without `<details name>` need a script for that.
  if (!('name' in HTMLDetailsElement.prototype)) void loadWithRetry(() => import('./sections/one-answer.ts'));
  followLaunches();
  // React fills the link above the hero with text when it renders the list of quotes. In data saver mode React starts
  // for this only if the worker has already stored the files.
  if ('quotes' in document.documentElement.dataset && (!isSavingData() || navigator.serviceWorker?.controller))
    hydrateOthers();
  void (isSavingData() ? othersRequested : Promise.resolve())
    .then(() => loadWithRetry(() => import('../voice/start.ts')))
    .then(({ startVoice }) => startVoice(() => showForAMoment(callOffline, false)));
  if (!isSavingData()) {
    // Pictures are loaded last, because drawings are already shown in their places.
    for (const picture of document.querySelectorAll<HTMLImageElement>('img[data-src]'))
      picture.src = picture.dataset['src']!;
  }
}
