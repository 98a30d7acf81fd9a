import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { initialState } from '../src/designer/icon.ts';
import { webIcons } from '../src/designer/icon-set.ts';
import type { Ring } from '../src/network/outline.ts';
import { benefits } from './drawings/benefits.ts';
import { calendar } from './drawings/calendar.ts';
import { coldChain } from './drawings/cold-chain.ts';
import { stillPicture } from './drawings/network-still.ts';
import { route } from './drawings/route.ts';

/** Drawings of the site, by address. The numbers that they show come from src/content/claims.ts. */
const drawings: Readonly<Record<string, () => string>> = {
  'favicon.svg': () => `${webIcons(initialState.scheme).find(({ path }) => path === 'favicon.svg')!.svg}\n`,
  'network-still.svg': () => stillPicture(readLand()),
  'drawings/benefits.svg': benefits,
  'drawings/calendar.svg': calendar,
  'drawings/cold-chain.svg': coldChain,
  'drawings/route.svg': route,
};

export function readLand(): readonly Ring[] {
  const { coordinates } = JSON.parse(readFileSync('src/network/land.geojson', 'utf8')) as { coordinates: Ring[][] };
  return coordinates.flat();
}

/** Draws the pictures as files of the build, and on request in the development server. */
export function drawPictures(): Plugin {
  return {
    name: 'drawings',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const draw = drawings[request.url!.slice(1)];
        if (!draw) return next();
        response.setHeader('content-type', 'image/svg+xml').end(draw());
      });
    },
    generateBundle() {
      for (const [fileName, draw] of Object.entries(drawings))
        this.emitFile({ type: 'asset', fileName, source: draw() });
    },
  };
}
