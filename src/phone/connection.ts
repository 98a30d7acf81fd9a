import { connectionStatus as words } from '../content/status-line.ts';
import { isSavingData } from './is-saving-data.ts';
import { showUntilReplaced } from './status-line.ts';

const PROBE_INTERVAL = 20_000;
/** URL of the probe: a small file that the worker never caches and every host has. */
const PROBE = '/robots.txt';

function createConnection() {
  let isGone = false;
  let sendsFail = false;
  let timer: ReturnType<typeof setTimeout>;

  const showState = () => showUntilReplaced(isGone ? words.gone : sendsFail ? words.sendsFail : undefined);

  /**
   * `isAgain`: true for a repeated probe. With data saving a failed probe is repeated only once. This repeat is needed,
   * because the first probe can fail when the phone changes networks.
   */
  async function probe(isAgain = false): Promise<void> {
    clearTimeout(timer);
    isGone = !(await fetch(PROBE, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined));
    showState();
    if (isGone && !(isAgain && isSavingData())) timer = setTimeout(() => void probe(true), PROBE_INTERVAL);
  }

  return {
    /** Watches the connection by requests: `navigator.onLine` is unreliable, so its changes only trigger a probe. */
    watchConnection: (): void => {
      addEventListener('offline', () => void probe());
      addEventListener('online', () => void probe());
      document.addEventListener(
        'visibilitychange',
        () => isGone && document.visibilityState === 'visible' && void probe(),
      );
      if (!navigator.onLine) void probe();
    },
    /** Takes the outbox's reports of failed sends, which tell more about the connection than a probe. */
    reportSends: (fail: boolean): void => {
      sendsFail = fail;
      showState();
    },
  };
}

export const { watchConnection, reportSends } = createConnection();
