import type { Map as LeafletMap } from 'leaflet';

/** A gesture that a visitor tried on the map, and that belongs to the page. */
export type Gesture = 'finger' | 'wheel';

/** One finger and the bare wheel scroll the page; two fingers, the mouse and Ctrl with the wheel are the map's. */
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
      // A pinch on a touchpad comes as a wheel with Ctrl.
      if (event.ctrlKey || event.metaKey) return;
      event.stopImmediatePropagation();
      onPageGesture('wheel');
    },
    listen,
  );
  return () => listening.abort();
}
