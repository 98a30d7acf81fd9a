import { useEffect, useState } from 'react';

const TICK = 5000;

/** Returns the present time and renders again often enough for texts such as 'sending' and 'next try'. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
