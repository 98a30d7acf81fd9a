import { useEffect, useState, useSyncExternalStore } from 'react';

export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      addEventListener('online', listener);
      addEventListener('offline', listener);
      return () => {
        removeEventListener('online', listener);
        removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}

/** Whether the quote form reaches to where the icon floats, on a screen where the two would meet. */
export function useOverForm(): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const form = document.querySelector('#reservar-espacio');
    if (!form) return;
    const narrow = matchMedia('(max-width: 63.99rem)');
    let beneath = false;
    const look = () => setOver(beneath && narrow.matches);
    const observer = new IntersectionObserver(
      (entries) => {
        beneath = entries.at(-1)!.isIntersecting;
        look();
      },
      { rootMargin: '-65% 0px 0px' },
    );
    observer.observe(form);
    narrow.addEventListener('change', look);
    return () => {
      observer.disconnect();
      narrow.removeEventListener('change', look);
    };
  }, []);
  return over;
}

/** An old engine, or a page that came without encryption, has no calls. */
export function canCall(): boolean {
  return isSecureContext && 'RTCPeerConnection' in window && 'mediaDevices' in navigator;
}

export function platform(): 'ios' | 'android' | 'computer' {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad says that it is a Mac.
  if (/iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)) return 'ios';
  return /android/i.test(userAgent) ? 'android' : 'computer';
}
