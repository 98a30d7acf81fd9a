import { connection as words } from '../content/line.ts';
import { isSavingData } from './saving.ts';
import { showUntilReplaced } from './line.ts';

const AGAIN = 20_000;
/** Small, never kept by the worker, and there on any host. */
const PROBE = '/robots.txt';

let isGone = false;
let sendsFail = false;
let timer: ReturnType<typeof setTimeout>;

/** `navigator.onLine` only says when to ask. */
export function watchConnection(): void {
  addEventListener('offline', () => void probe());
  addEventListener('online', () => void probe());
  document.addEventListener('visibilitychange', () => isGone && document.visibilityState === 'visible' && void probe());
  if (!navigator.onLine) void probe();
}

/** From whoever keeps the quotes: the insert itself is the better probe. */
export function reportSends(fail: boolean): void {
  sendsFail = fail;
  showState();
}

/** `isAgain`: who saves data is asked for once more, for the first request after a change of networks may be lost. */
async function probe(isAgain = false): Promise<void> {
  clearTimeout(timer);
  isGone = !(await fetch(PROBE, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined));
  showState();
  if (isGone && !(isAgain && isSavingData())) timer = setTimeout(() => void probe(true), AGAIN);
}

function showState(): void {
  showUntilReplaced(isGone ? words.gone : sendsFail ? words.sendsFail : undefined);
}
