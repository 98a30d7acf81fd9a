import { useRef, useState } from 'react';
import { TileLayer } from 'react-leaflet';

/** So many in a row say that the service is gone: the land beneath is the map for this visit. */
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
