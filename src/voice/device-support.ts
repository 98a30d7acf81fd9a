/** False for old engines and for pages without encryption. */
export function canCall(): boolean {
  return isSecureContext && 'RTCPeerConnection' in window && 'mediaDevices' in navigator;
}

export function platform(): 'ios' | 'android' | 'computer' {
  const { userAgent, maxTouchPoints } = navigator;
  // iPads identify as Macs.
  if (/iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1)) return 'ios';
  return /android/i.test(userAgent) ? 'android' : 'computer';
}
