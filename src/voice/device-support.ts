/** True if this browser can make calls. Old browsers and pages without HTTPS cannot. */
export function canCall(): boolean {
  return isSecureContext && 'RTCPeerConnection' in window && 'mediaDevices' in navigator;
}

export function platform(): 'ios' | 'android' | 'computer' {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad says that it is a Mac, but a Mac has no touch screen.
  if (/iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)) return 'ios';
  return /android/i.test(userAgent) ? 'android' : 'computer';
}
