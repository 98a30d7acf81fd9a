import { createStore } from '../ui/create-store.ts';
import { isApple, isInstalled } from './installed.ts';
import { tryStorage } from './storage-access.ts';

/** Not in TypeScript's lib: only Chromium has it. */
export interface InstallPrompt extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  interface Window {
    /** The browser's offer to install, kept by the loader: it comes once, and early. */
    installPrompt?: InstallPrompt | undefined;
  }
}

/** How this browser lets the site be installed: with its own dialog, by hand, or not from here. */
export type Way = 'prompt' | 'by-hand' | undefined;

const DISMISSED = 'aeropuente.install-dismissed';
/** Browsers inside other apps have no home screen to add to. */
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

/** A prompt can be shown once; the browser may send another. */
export async function install(): Promise<void> {
  const prompt = window.installPrompt;
  window.installPrompt = undefined;
  shown.set(prompt);
  await prompt?.prompt();
}

export const wasDismissed = (): boolean => Boolean(tryStorage(() => localStorage.getItem(DISMISSED)));

export const dismissOffer = (): void => tryStorage(() => localStorage.setItem(DISMISSED, '1'));
