import { createStore } from '../ui/create-store.ts';
import { isApple, isInstalled } from './installed.ts';
import { persistedText } from './persisted.ts';

/** Missing in TypeScript's lib, because only Chromium has it. */
export interface InstallPrompt extends Event {
  prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }>;
}

declare global {
  interface Window {
    /** Install prompt, caught early by the loader because the browser sends it once. */
    installPrompt?: InstallPrompt | undefined;
  }
}

/** Way to install the site: browser dialog, by hand, or none. */
export type Way = 'prompt' | 'by-hand' | undefined;

const dismissed = persistedText('aeropuente.install-dismissed');
/** Browsers inside other apps cannot add to the home screen. */
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

/** Shows the prompt, which works once; the browser may send another. */
export async function install(): Promise<void> {
  const prompt = window.installPrompt;
  window.installPrompt = undefined;
  shown.set(prompt);
  await prompt?.prompt();
}

export const wasDismissed = (): boolean => Boolean(dismissed.get());

export const dismissOffer = (): void => dismissed.set('1');
