import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { heroImageUrl, tiles } from '../src/config.ts';

const MONTH = 30 * 24 * 60 * 60;

/** The photograph of the hero, if one is configured: cached once seen. */
export function cacheHeroImage(): void {
  if (!heroImageUrl) return;
  registerRoute(
    ({ url }) => url.href === heroImageUrl,
    new CacheFirst({
      cacheName: 'hero',
      // The picture is asked for with CORS: an opaque answer would weigh megabytes of the quota.
      fetchOptions: { mode: 'cors', credentials: 'omit' },
      plugins: [new ExpirationPlugin({ maxEntries: 2, maxAgeSeconds: MONTH, purgeOnQuotaError: true })],
    }),
  );
}

/** Tiles that were seen; never one ahead. The quotes are in another store, and their room is never touched. */
export function cacheTiles(): void {
  if (!tiles) return;
  const shape = shapeOf(tiles.url);
  registerRoute(
    ({ url }) => shape.test(url.href),
    new CacheFirst({
      cacheName: 'tiles',
      fetchOptions: { mode: 'cors', credentials: 'omit' },
      plugins: [
        {
          // One tile is one entry, whichever host served it and under whichever key.
          cacheKeyWillBeUsed: async ({ request }) => {
            const { z, x, y, r = '' } = shape.exec(request.url)!.groups!;
            return `${new URL(request.url).protocol}//tiles/${z}/${x}/${y}${r}`;
          },
          // An answer that is not a picture (a portal, an error page) would stay for a month.
          cacheWillUpdate: async ({ response }) =>
            response.ok && response.headers.get('content-type')?.startsWith('image/') && mayBeKept(response)
              ? response
              : null,
          cachedResponseWillBeUsed: async ({ cachedResponse }) =>
            cachedResponse && isFresh(cachedResponse) ? cachedResponse : null,
        },
        new ExpirationPlugin({ maxEntries: 200, maxAgeSeconds: MONTH, purgeOnQuotaError: true }),
      ],
    }),
  );
}

/** The address of a tile as Leaflet writes it, with its parts by name. */
function shapeOf(template: string): RegExp {
  const parts: Record<string, string> = {
    '{s}': '[a-d]',
    '{z}': String.raw`(?<z>\d+)`,
    '{x}': String.raw`(?<x>\d+)`,
    '{y}': String.raw`(?<y>\d+)`,
    '{r}': '(?<r>@2x)?',
  };
  const pattern = template
    .split(/(\{[szxyr]\})/)
    .map((part) => parts[part] ?? part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pattern.join('')}$`);
}

const policyOf = (response: Response) => response.headers.get('cache-control') ?? '';
const mayBeKept = (response: Response) => !policyOf(response).includes('no-store');

/** No longer than the service allows. */
function isFresh(response: Response): boolean {
  const allowed = /max-age=(\d+)/.exec(policyOf(response))?.[1];
  const since = Date.parse(response.headers.get('date') ?? '');
  return !allowed || Number.isNaN(since) || Date.now() - since < Number(allowed) * 1000;
}
