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
// The manifest and the drawing of the hero are inside `noscript` elements, because the first paint does not need them.
// Now they are taken out.
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
  // Waiting quotes are sent before more scripts are fetched.
  if (tryStorage(() => localStorage.getItem(WAITING_MARK)))
    void import('../form/send-quote.ts').then(({ keepSending }) => keepSending()).then(hydrateOthers, hydrateOthers);
}

// The remaining scripts wait until React has started in the first island.
void whenIdle()
  .then(firstAttempts)
  .then(() => loadWithRetry(() => import('./after-load.ts')));
