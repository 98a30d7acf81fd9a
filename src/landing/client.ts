import { LINK_ADDRESS, QUOTES_ADDRESS, SHARED_ADDRESS, WAITING_MARK } from '../agreements.ts';
import type { InstallPrompt } from '../phone/install.ts';
import { tryStorage } from '../phone/storage-access.ts';
import { whenIdle, loadWithRetry, hydrateOthers, firstAttempts } from '../ui/hydration.ts';
import { startIslands } from './islands.ts';
import { layOutDeferredSections } from './lay-out.ts';

const internalPages: Record<string, () => Promise<{ open: () => void }>> = {
  'icon-designer': () => import('../designer/page.tsx'),
  'vapi-icon': () => import('../voice/demo-page.tsx'),
};

const internal = internalPages[document.documentElement.dataset['page'] ?? ''];
// The first paint needs no manifest and no drawing of the hero. Both are in `noscript` elements, which are
// unwrapped now.
for (const delayed of document.querySelectorAll(':is(head, #hero) noscript')) delayed.outerHTML = delayed.textContent;
if (internal) void loadWithRetry(internal).then(({ open }) => open());
else {
  layOutDeferredSections();
  startIslands();
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    window.installPrompt = event as InstallPrompt;
  });
  const hydrateForQuotes = () =>
    ([QUOTES_ADDRESS, SHARED_ADDRESS].includes(location.hash) || location.hash.startsWith(LINK_ADDRESS)) &&
    hydrateOthers();
  hydrateForQuotes();
  addEventListener('hashchange', hydrateForQuotes);
  // A waiting quote is sent before other chunks are fetched.
  if (tryStorage(() => localStorage.getItem(WAITING_MARK)))
    void import('../form/send-quote.ts').then(({ keepSending }) => keepSending()).then(hydrateOthers, hydrateOthers);
}

// The remaining scripts wait for the first hydration, because links work without scripts.
void whenIdle()
  .then(firstAttempts)
  .then(() => loadWithRetry(() => import('./after-load.ts')));
