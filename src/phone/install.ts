import { createStore } from '../ui/create-store.ts';
import { isApple, isInstalled } from './installed.ts';
import { persistedText } from './persisted.ts';

/** Event that only Chromium has. TypeScript's DOM types lack it. */
export interface InstallPrompt extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  interface Window {
    /**
     * Install prompt of the browser. src/landing/client.ts stores it at once, because the browser offers it only once.
     */
    installPrompt?: InstallPrompt | undefined;
  }
}

/**
 * Way to install the site: by the browser's prompt, or by hand in the browser's menu; undefined if it cannot be
 * installed.
 */
export type Way = 'prompt' | 'by-hand' | undefined;

const dismissed = persistedText('aeropuente.install-dismissed');
/** Browsers on iPhones that can add a site to the home screen. Browsers inside other apps cannot. */
const IS_BROWSER = /Version\/[\d.]+ .*Safari|CriOS|FxiOS|EdgiOS/;

export function wayToInstall(): Way {
  if (isInstalled()) return undefined;
  if (window.installPrompt) return 'prompt';
  return isApple() && IS_BROWSER.test(navigator.userAgent) ? 'by-hand' : undefined;
}

const shown = createStore<InstallPrompt | undefined>(undefined);

export function watchWay(listener: () => void): () => void {
  const installed = () => {
    window.installPrompt = undefined;
    listener();
  };
  addEventListener('beforeinstallprompt', listener);
  addEventListener('appinstalled', installed);
  const stop = shown.subscribe(listener);
  return () => {
    stop();
    removeEventListener('beforeinstallprompt', listener);
    removeEventListener('appinstalled', installed);
  };
}

/** Shows the browser's install prompt. A prompt works once; the browser may offer another one later. */
export async function install(): Promise<void> {
  const prompt = window.installPrompt;
  window.installPrompt = undefined;
  shown.set(prompt);
  await prompt?.prompt();
}

export const wasDismissed = (): boolean => Boolean(dismissed.get());

export const dismissOffer = (): void => dismissed.set('1');
