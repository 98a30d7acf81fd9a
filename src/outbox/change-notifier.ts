import type { Entry } from './entry.ts';

/** Milliseconds for which changes are collected, so that listeners are notified once for all of them. */
const ANNOUNCE_AFTER = 50;
/**
 * Length of the pause after a read of all entries, as a multiple of that read's duration. Without the pause, reading
 * 1000 entries at each change would leave no time to send.
 */
const REST = 8;
/**
 * Longest pause in milliseconds. On a slow disk a read takes seconds, and eight times as long would delay the page too
 * much.
 */
const LONGEST_REST = 3000;

export interface ChangeNotifier {
  /** Notifies the listeners of this page, the other pages and the worker. */
  readonly notifyChanged: () => void;
  /**
   * Notifies the listeners of this page. They may have missed changes: a frozen page receives no notifications, and
   * another page may close before it sends one.
   */
  readonly refresh: () => void;
  readonly watch: (listener: (entries: readonly Entry[]) => void) => () => void;
}

export function createChangeNotifier(
  openChannel: () => BroadcastChannel,
  readEntries: () => Promise<readonly Entry[]>,
  onOtherPage: () => void,
): ChangeNotifier {
  const listeners = new Set<(entries: readonly Entry[]) => void>();
  let channel: BroadcastChannel | undefined;
  let announcing: ReturnType<typeof setTimeout> | undefined;
  let isNotifying = false;
  let hasNewChange = false;

  function connect(): void {
    if (channel) return;
    channel = openChannel();
    channel.addEventListener('message', () => {
      onOtherPage();
      void notifyListeners();
    });
  }

  async function notifyListeners(): Promise<void> {
    if (isNotifying) return void (hasNewChange = true);
    if (listeners.size === 0) return;
    isNotifying = true;
    do {
      hasNewChange = false;
      const began = performance.now();
      const entries = await readEntries().catch(() => undefined);
      // If the read failed, the listeners keep their last list.
      if (entries) for (const listener of listeners) listener(entries);
      const pause = Math.min(Math.max(ANNOUNCE_AFTER, REST * (performance.now() - began)), LONGEST_REST);
      if (hasNewChange) await new Promise((resolve) => setTimeout(resolve, pause));
    } while (hasNewChange);
    isNotifying = false;
  }

  return {
    notifyChanged() {
      connect();
      void notifyListeners();
      announcing ??= setTimeout(() => {
        announcing = undefined;
        channel?.postMessage(null);
      }, ANNOUNCE_AFTER);
    },

    refresh: () => void notifyListeners(),

    watch(listener) {
      listeners.add(listener);
      connect();
      void notifyListeners();
      return () => listeners.delete(listener);
    },
  };
}
