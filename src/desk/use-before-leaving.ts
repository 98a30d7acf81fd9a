import { useEffect, useEffectEvent } from 'react';
import { beforeSignOut } from './api/auth.ts';

/** Runs `send` right before the page is left or the person signs out, while the session still has its token. */
export function useBeforeLeaving(send: () => Promise<unknown>): void {
  const leave = useEffectEvent(send);
  useEffect(() => {
    const onLeave = () => leave();
    addEventListener('pagehide', onLeave);
    beforeSignOut.add(onLeave);
    return () => {
      beforeSignOut.delete(onLeave);
      removeEventListener('pagehide', onLeave);
    };
  }, []);
}
