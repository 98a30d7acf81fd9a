import type { Map as LeafletMap, PointTuple } from 'leaflet';

interface MapPadding {
  readonly paddingTopLeft: PointTuple;
  readonly paddingBottomRight: PointTuple;
}

/**
 * Returns Leaflet's padding: the given edges, plus the room that the text over the map covers. The section's style
 * sheet sets that room.
 */
export function mapPadding(
  map: LeafletMap,
  edge: { left: number; top: number; right: number; bottom: number },
): MapPadding {
  const style = getComputedStyle(map.getContainer());
  const covered = (name: string) => parseFloat(style.getPropertyValue(name)) || 0;
  return {
    paddingTopLeft: [edge.left + covered('--covered'), edge.top],
    paddingBottomRight: [edge.right, edge.bottom + covered('--covered-below')],
  };
}
