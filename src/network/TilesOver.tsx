import { useRef, useState } from 'react';
import { TileLayer } from 'react-leaflet';

/**
 * Number of tiles that must fail in a row before the tile service counts as down. The map then shows only its own
 * drawing of the land.
 */
const ENOUGH_FAILURES = 6;

interface Props {
  readonly url: string;
  readonly attribution: string;
}

export function TilesOver({ url, attribution }: Props) {
  const [dropped, setDropped] = useState(false);
  const failures = useRef(0);
  if (dropped) return null;
  return (
    <TileLayer
      url={url}
      attribution={attribution}
      subdomains="abcd"
      crossOrigin="anonymous"
      eventHandlers={{
        tileload: () => (failures.current = 0),
        tileerror: () => {
          failures.current += 1;
          if (failures.current >= ENOUGH_FAILURES) setDropped(true);
        },
      }}
    />
  );
}
