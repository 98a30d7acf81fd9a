import { tabStorage } from '../api/tab-storage.ts';

export const LOCKS_AFTER = 10 * 60_000;

const MARK = 'aeropuente.desk.hand';
const HANDS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'];
const EVERY = 5000;

/** Time of the last activity, stored with the session: a restored tab must not restore yesterday's session. */
export const lastActivity = (): number => Number(tabStorage.getItem(MARK) ?? Date.now());

let noted = 0;

export function noteActivity(): void {
  noted = Date.now();
  tabStorage.setItem(MARK, String(noted));
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
    else if (Date.now() - noted > 1000) noteActivity();
  };
  const timer = setInterval(look, EVERY);
  for (const hand of HANDS) addEventListener(hand, note, { capture: true, passive: true });
  document.addEventListener('visibilitychange', look);
  addEventListener('focus', look);
  return () => {
    clearInterval(timer);
    for (const hand of HANDS) removeEventListener(hand, note, { capture: true });
    document.removeEventListener('visibilitychange', look);
    removeEventListener('focus', look);
  };
}
