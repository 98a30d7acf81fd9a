import type { Ring } from './outline.ts';
import text from './land.geojson?raw';

/** Outline of the land. build/land.ts makes the file. */
export const land = JSON.parse(text) as { readonly type: 'MultiPolygon'; readonly coordinates: readonly Ring[][] };
