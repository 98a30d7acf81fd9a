import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isSavingData } from '../pwa/saving.ts';

const HINT = { after: 2000, lasts: 3000 };
const TEASER = { after: 4000, lasts: 6000 };
const SHOWN = 'aeropuente.voice-hints';

/** Once per visit, and not at all for who saves data. */
export function useHints() {
  const [hint, showHint] = useState(false);
  const [teaser, showTeaser] = useState(false);
  const [touched, setTouched] = useState(false);
  const timers = useRef<ReturnType<typeof setTimeout>[]>([]);

  function over() {
    timers.current.forEach(clearTimeout);
    showHint(false);
    showTeaser(false);
  }

  const begun = useEffectEvent(over);

  useEffect(() => {
    if (isSavingData() || wereShown()) return;
    const set = timers.current;
    // Whoever has begun to read or write needs no invitation, and nothing may lie over what is walked to by keyboard.
    const stop = () => begun();
    addEventListener('keydown', stop, { once: true });
    const at = (time: number, step: () => void) => set.push(setTimeout(step, time));
    at(HINT.after, () => {
      noteShown();
      showHint(true);
    });
    at(HINT.after + HINT.lasts, () => showHint(false));
    // It would stand in the way of who is writing.
    at(TEASER.after, () => showTeaser(!document.activeElement?.closest('form')));
    at(TEASER.after + TEASER.lasts, () => showTeaser(false));
    return () => {
      removeEventListener('keydown', stop);
      set.forEach(clearTimeout);
    };
  }, []);

  return { hint, teaser: teaser && !touched, touch: () => setTouched(true), over };
}

function wereShown(): boolean {
  try {
    return sessionStorage.getItem(SHOWN) !== null;
  } catch {
    return false;
  }
}

function noteShown(): void {
  try {
    sessionStorage.setItem(SHOWN, '1');
  } catch {
    // They are shown again on the next page.
  }
}
