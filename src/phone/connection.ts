import { connectionStatus as words } from '../content/status-line.ts';
import { isSavingData } from './is-saving-data.ts';
import { showUntilReplaced } from './status-line.ts';

const PROBE_INTERVAL = 20_000;
/**
 * URL of a small file that every host has and the worker never caches. If it cannot be fetched, the connection is down.
 */
const PROBE = '/robots.txt';

function createConnection() {
  let isGone = false;
  let sendsFail = false;
  let timer: ReturnType<typeof setTimeout>;
  let probes = 0;

  const showState = () =>
    showUntilReplaced(isGone ? words[sendsFail ? 'kept' : 'gone'] : sendsFail ? words.sendsFail : undefined);

  /**
   * Tests the connection. A failed test is repeated until one succeeds. In data saver mode it is repeated once
   * (`isAgain`: true for a repeated test), because it may fail while the phone changes networks.
   */
  async function probe(isAgain = false): Promise<void> {
    clearTimeout(timer);
    const probeNumber = ++probes;
    const response = await fetch(PROBE, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
    // If a newer test has started in the meantime, this result is out of date.
    if (probeNumber !== probes) return;
    isGone = !response;
    showState();
    if (isGone && !(isAgain && isSavingData())) timer = setTimeout(() => void probe(true), PROBE_INTERVAL);
  }

  return {
    /** Tests the connection at every sign of a change. `navigator.onLine` alone is unreliable. */
    watchConnection: (): void => {
      addEventListener('offline', () => void probe());
      addEventListener('online', () => void probe());
      document.addEventListener(
        'visibilitychange',
        () => isGone && document.visibilityState === 'visible' && void probe(),
      );
      if (!navigator.onLine) void probe();
    },
    /** Records whether sends of the outbox fail: a real request says more about the connection than a test. */
    reportSends: (fail: boolean): void => {
      sendsFail = fail;
      showState();
    },
  };
}

export const { watchConnection, reportSends } = createConnection();
