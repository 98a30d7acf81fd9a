import { connectionStatus as words } from '../content/status-line.ts';
import { isSavingData } from './is-saving-data.ts';
import { showUntilReplaced } from './status-line.ts';

const PROBE_INTERVAL = 20_000;
/** Small, never cached by the worker, and present on every host. */
const PROBE = '/robots.txt';

let isGone = false;
let sendsFail = false;
let timer: ReturnType<typeof setTimeout>;

/** Probes the network: `navigator.onLine` is unreliable and only tells when to ask. */
export function watchConnection(): void {
  addEventListener('offline', () => void probe());
  addEventListener('online', () => void probe());
  document.addEventListener('visibilitychange', () => isGone && document.visibilityState === 'visible' && void probe());
  if (!navigator.onLine) void probe();
}

/** Takes reports of the outbox: an insert is a better probe. */
export function reportSends(fail: boolean): void {
  sendsFail = fail;
  showState();
}

/**
 * `isAgain`: second probe. With data saving no third follows, but the first may be lost during a change of networks.
 */
async function probe(isAgain = false): Promise<void> {
  clearTimeout(timer);
  isGone = !(await fetch(PROBE, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined));
  showState();
  if (isGone && !(isAgain && isSavingData())) timer = setTimeout(() => void probe(true), PROBE_INTERVAL);
}

function showState(): void {
  showUntilReplaced(isGone ? words.gone : sendsFail ? words.sendsFail : undefined);
}
