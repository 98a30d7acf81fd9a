/** True if this browser can call; false in old engines and on pages without HTTPS. */
export function canCall(): boolean {
  return isSecureContext && 'RTCPeerConnection' in window && 'mediaDevices' in navigator;
}

export function platform(): 'ios' | 'android' | 'computer' {
  const { userAgent, maxTouchPoints } = navigator;
  // An iPad identifies as a Mac, so a touch screen tells them apart.
  if (/iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)) return 'ios';
  return /android/i.test(userAgent) ? 'android' : 'computer';
}
