import { useEffect, useState } from 'react';
import { readAddress, writeAddress } from './address.ts';
import type { IconState } from './icon.ts';

export function useIconState(): readonly [IconState, (part: Partial<IconState>) => void] {
  const [state, setState] = useState(() => readAddress(location.hash));
  useEffect(() => {
    const follow = () => setState(readAddress(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const change = (part: Partial<IconState>) => {
    const next = { ...state, ...part };
    // The address is replaced, so that the browser's button Back leaves the page and does not undo each choice.
    history.replaceState(null, '', writeAddress(next));
    setState(next);
  };
  return [state, change];
}
