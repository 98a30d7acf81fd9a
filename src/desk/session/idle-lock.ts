import { tabStorage } from '../api/tab-storage.ts';

export const LOCKS_AFTER = 10 * 60_000;

const MARK = 'aeropuente.desk.hand';
const HANDS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'];
const EVERY = 5000;

/** Kept beside the session: a browser that brings its tabs back must not bring the session of yesterday. */
export const lastActivity = (): number => Number(tabStorage.getItem(MARK) ?? Date.now());

let noted = 0;

export function noteActivity(): void {
  noted = Date.now();
  tabStorage.setItem(MARK, String(noted));
}

/** Calls `lock` once nobody has had a hand on the page for ten minutes, also where the computer slept meanwhile. */
export function watchActivity(lock: () => void): () => void {
  const isIdle = () => Date.now() - lastActivity() > LOCKS_AFTER;
  const look = () => {
    if (isIdle()) lock();
  };
  const note = () => {
    // The hand that wakes the computer finds it locked.
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
