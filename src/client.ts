import { QUOTES_ADDRESS, WAITING_MARK } from './agreements.ts';
import type { InstallPrompt } from './pwa/install.ts';
import { tryStorage } from './pwa/storage-access.ts';
import { idle, wakeIslands, wakeOthers, waking } from './islands.ts';

const internalPages: Record<string, () => Promise<{ open: () => void }>> = {
  'icon-designer': () => import('./designer/page.tsx'),
  'vapi-icon': () => import('./voice/demo-page.tsx'),
};

const internal = internalPages[document.documentElement.dataset['page'] ?? ''];
if (internal) void internal().then((page) => page.open());
else {
  wakeIslands();
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    window.installPrompt = event as InstallPrompt;
  });
  const wanted = () => location.hash === QUOTES_ADDRESS;
  if (tryStorage(() => localStorage.getItem(WAITING_MARK)) || wanted()) wakeOthers();
  else addEventListener('hashchange', () => wanted() && wakeOthers());
}

// The anchors work without it: its script can wait.
void idle()
  .then(() => waking)
  .then(() => import('./after-load.ts'));
