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
  addEventListener('offline', () => void ask());
  addEventListener('online', () => void ask());
  document.addEventListener('visibilitychange', () => isGone && document.visibilityState === 'visible' && void ask());
  if (!navigator.onLine) void ask();
}

/** From whoever keeps the quotes: the insert itself is the better probe. */
export function reportSends(fail: boolean): void {
  sendsFail = fail;
  show();
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  isGone = !(await fetch(PROBE, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined));
  show();
  if (isGone && !isSavingData()) timer = setTimeout(() => void ask(), AGAIN);
}

function show(): void {
  showUntilReplaced(isGone ? words.gone : sendsFail ? words.sendsFail : undefined);
}
