import { persistedText } from '../../phone/persisted.ts';
import { tabStorage } from '../api/tab-storage.ts';

export const LOCKS_AFTER = 10 * 60_000;

const storedActivity = persistedText('aeropuente.desk.hand', () => tabStorage);
const INPUTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'];
const EVERY = 5000;

/**
 * Time of the last activity. The tab stores this time, because the browser may restore the tab a day later: the desk is
 * then locked.
 */
export const lastActivity = (): number => Number(storedActivity.get() ?? Date.now());

export const noteActivity = (): void => storedActivity.set(String(Date.now()));

/** Calls `lock` after ten minutes without input; time during which the computer sleeps counts too. */
export function watchActivity(lock: () => void): () => void {
  const isIdle = () => Date.now() - lastActivity() > LOCKS_AFTER;
  const look = () => {
    if (isIdle()) lock();
  };
  const note = () => {
    // After the computer slept, the first input finds the desk idle, and locks it.
    if (isIdle()) lock();
    else if (Date.now() - lastActivity() > 1000) noteActivity();
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
