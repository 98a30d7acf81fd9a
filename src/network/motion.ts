import { useEffect, useState } from 'react';
import { isSavingData } from '../phone/is-saving-data.ts';

const TICK = 4000;

export const lessMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches || isSavingData();

/** Returns 0 and 1 in turn, each for four seconds; undefined if motion is unwanted or the map is not on the screen. */
export function useTick(wanted: boolean, element: Element): 0 | 1 | undefined {
  const [tick, setTick] = useState<0 | 1>();
  useEffect(() => {
    if (!wanted) return;
    let onScreen = false;
    let timer: ReturnType<typeof setInterval> | undefined;
    const run = () => {
      clearInterval(timer);
      timer = undefined;
      if (!onScreen || document.hidden) return setTick(undefined);
      setTick(0);
      timer = setInterval(() => setTick((previous) => (previous === 0 ? 1 : 0)), TICK);
    };
    const observer = new IntersectionObserver((entries) => {
      onScreen = entries.at(-1)!.isIntersecting;
      run();
    });
    observer.observe(element);
    document.addEventListener('visibilitychange', run);
    return () => {
      clearInterval(timer);
      observer.disconnect();
      document.removeEventListener('visibilitychange', run);
      setTick(undefined);
    };
  }, [wanted, element]);
  return tick;
}
