import { QUOTES_ADDRESS, type ToPage } from '../agreements.ts';

interface LaunchQueue {
  setConsumer(consumer: (launch: { readonly targetURL?: string }) => void): void;
}

/** Opens icon shortcuts and notifications in the window that is already open, to keep the unsent text there. */
export function followLaunches(): void {
  const { launchQueue } = window as { launchQueue?: LaunchQueue };
  launchQueue?.setConsumer(({ targetURL }) => {
    const hash = targetURL && new URL(targetURL).hash;
    if (hash) location.hash = hash;
  });
  navigator.serviceWorker?.addEventListener('message', ({ data, ports }: MessageEvent<ToPage | null>) => {
    if (data?.type !== 'OPEN_QUOTES') return;
    location.hash = QUOTES_ADDRESS;
    // The worker repeats its message until it gets a reply.
    ports[0]!.postMessage(null);
  });
}
