import { Workbox } from 'workbox-window';

export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  void new Workbox('/worker.js').register();
}
