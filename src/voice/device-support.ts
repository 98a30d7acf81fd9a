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
