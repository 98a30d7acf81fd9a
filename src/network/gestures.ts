import type { Map as LeafletMap } from 'leaflet';

/** Gesture on the map that scrolls the page instead. */
export type Gesture = 'finger' | 'wheel';

/**
 * Divides gestures: one finger or the wheel alone scrolls the page; two fingers, the mouse, or Ctrl with the wheel move
 * the map.
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
      // Browsers report a touchpad pinch as a wheel event with Ctrl.
      if (event.ctrlKey || event.metaKey) return;
      event.stopImmediatePropagation();
      onPageGesture('wheel');
    },
    listen,
  );
  return () => listening.abort();
}
