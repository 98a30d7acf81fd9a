import type { Map as LeafletMap } from 'leaflet';

/** Gesture over the map that scrolls the page, not the map. */
export type Gesture = 'finger' | 'wheel';

/**
 * Decides which gestures move the map: two fingers, the mouse, or Ctrl with the wheel. One finger or the wheel alone
 * scrolls the page.
 */
export function shareGestures(map: LeafletMap, onPageGesture: (gesture: Gesture) => void): () => void {
  const container = map.getContainer();
  const listening = new AbortController();
  const listen = { capture: true, passive: true, signal: listening.signal };
  container.addEventListener(
    'pointerdown',
    ({ pointerType }) => {
      if (pointerType === 'touch') map.dragging.disable();
      else map.dragging.enable();
    },
    listen,
  );
  container.addEventListener(
    'touchmove',
    ({ touches }) => {
      if (touches.length === 1) onPageGesture('finger');
    },
    listen,
  );
  container.addEventListener(
    'wheel',
    (event) => {
      // Ctrl is also set if the visitor pinches on a touchpad.
      if (event.ctrlKey || event.metaKey) return;
      event.stopImmediatePropagation();
      onPageGesture('wheel');
    },
    listen,
  );
  return () => listening.abort();
}
