import { tabStorage } from '../api/tab-storage.ts';

export const LOCKS_AFTER = 10 * 60_000;

const STORAGE_KEY = 'aeropuente.desk.hand';
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'];
const EVERY = 5000;

/** Time of the last activity, stored with the session: a restored tab must not restore yesterday's session. */
export const lastActivity = (): number => Number(tabStorage.getItem(STORAGE_KEY) ?? Date.now());

let notedAt = 0;

export function noteActivity(): void {
  notedAt = Date.now();
  tabStorage.setItem(STORAGE_KEY, String(notedAt));
}

/** Calls `lock` after ten minutes without input, also if the computer slept. */
export function watchActivity(lock: () => void): () => void {
  const isIdle = () => Date.now() - lastActivity() > LOCKS_AFTER;
  const look = () => {
    if (isIdle()) lock();
  };
  const note = () => {
    // The press that wakes the computer locks the desk.
    if (isIdle()) lock();
    else if (Date.now() - notedAt > 1000) noteActivity();
  };
  const timer = setInterval(look, EVERY);
  for (const input of INPUTS) addEventListener(input, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', look);
  addEventListener('focus', look);
  return () => {
    clearInterval(timer);
    for (const input of INPUTS) removeEventListener(input, note, { capture: true });
    document.removeEventListener('visibilitychange', look);
    removeEventListener('focus', look);
  };
}
