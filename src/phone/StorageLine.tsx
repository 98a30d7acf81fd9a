import { useEffect, useState } from 'react';
import { storage as words } from '../content/phone.ts';
import { Inline } from '../ui/Inline.tsx';
import { storageHealth, type Health } from './storage.ts';

/** Says whether the browser may delete the stored quotes by itself; empty until the browser has answered. */
export function StorageLine() {
  const [health, setHealth] = useState<Health>();
  useEffect(() => {
    let gone = false;
    void storageHealth().then((found) => gone || setHealth(found));
    return () => void (gone = true);
  }, []);
  return (
    health && (
      <p>
        <Inline text={words[health]} />
      </p>
    )
  );
}
