import type { Entry } from './entry.ts';

/** Many changes at once are announced once. */
const ANNOUNCE_AFTER = 50;
/** A page with a thousand quotes that is told of each would have no time to send them. */
const REST = 8;
/** One read may have waited long for the disk: whoever waits for a word must not wait eight times as long. */
const LONGEST_REST = 3000;

export interface Changes {
  /** Tells the listeners here, and every other page and the worker. */
  readonly notifyChanged: () => void;
  /** Tells the listeners here: a page that stood still, or whose sender was closed, has not heard of every change. */
  readonly refresh: () => void;
  /** Calls with the entries now and at each change, whoever made it. */
  readonly watch: (listener: (entries: readonly Entry[]) => void) => () => void;
}

export function createChanges(
  openChannel: () => BroadcastChannel,
  readEntries: () => Promise<readonly Entry[]>,
  onElsewhere: () => void,
): Changes {
  const listeners = new Set<(entries: readonly Entry[]) => void>();
  let channel: BroadcastChannel | undefined;
  let announcing: ReturnType<typeof setTimeout> | undefined;
  let notifying = false;
  let notifyAgain = false;

  function connect(): void {
    if (channel) return;
    channel = openChannel();
    channel.addEventListener('message', () => {
      onElsewhere();
      void notifyListeners();
    });
  }

  async function notifyListeners(): Promise<void> {
    if (notifying) return void (notifyAgain = true);
    if (listeners.size === 0) return;
    notifying = true;
    do {
      notifyAgain = false;
      // A phone that cannot be read for a moment has forgotten nothing.
      const began = performance.now();
      const entries = await readEntries().catch(() => undefined);
      if (entries) for (const listener of listeners) listener(entries);
      const pause = Math.min(Math.max(ANNOUNCE_AFTER, REST * (performance.now() - began)), LONGEST_REST);
      if (notifyAgain) await new Promise((resolve) => setTimeout(resolve, pause));
    } while (notifyAgain);
    notifying = false;
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
