import { LINK_ADDRESS, QUOTES_ADDRESS, WAITING_MARK } from '../agreements.ts';
import type { InstallPrompt } from '../phone/install.ts';
import { tryStorage } from '../phone/storage-access.ts';
import { idle, insist, wakeOthers, waking } from '../ui/waking.ts';
import { wakeIslands } from './islands.ts';
import { layOutTheRest } from './lay-out.ts';

const internalPages: Record<string, () => Promise<{ open: () => void }>> = {
  'icon-designer': () => import('../designer/page.tsx'),
  'vapi-icon': () => import('../voice/demo-page.tsx'),
};

const internal = internalPages[document.documentElement.dataset['page'] ?? ''];
// The manifest and the hero's drawing, which the first paint does not need.
for (const later of document.querySelectorAll(':is(head, #hero) noscript')) later.outerHTML = later.textContent;
if (internal) void insist(internal).then(({ open }) => open());
else {
  layOutTheRest();
  wakeIslands();
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    window.installPrompt = event as InstallPrompt;
  });
  const look = () => (location.hash === QUOTES_ADDRESS || location.hash.startsWith(LINK_ADDRESS)) && wakeOthers();
  look();
  addEventListener('hashchange', look);
  // A quote that waits is sent before the rest is fetched.
  if (tryStorage(() => localStorage.getItem(WAITING_MARK)))
    void import('../form/sending.ts').then(({ keepSending }) => keepSending()).then(wakeOthers, wakeOthers);
}

// The anchors work without it: its script can wait.
void idle()
  .then(() => waking)
  .then(() => insist(() => import('./after-load.ts')));
