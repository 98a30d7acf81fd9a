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
    // replaceState, so that Back leaves the page instead of stepping through every colour.
    history.replaceState(null, '', writeAddress(next));
    setState(next);
  };
  return [state, change];
}
