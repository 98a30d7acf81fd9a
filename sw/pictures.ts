import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { heroImageUrl, tiles } from '../src/config.ts';

const MONTH = 30 * 24 * 60 * 60;

export function cacheHeroImage(): void {
  if (!heroImageUrl) return;
  registerRoute(
    ({ url }) => url.href === heroImageUrl,
    new CacheFirst({
      cacheName: 'hero',
      // The image is requested with CORS, because browsers count a response without CORS as several megabytes of the
      // quota.
      fetchOptions: { mode: 'cors', credentials: 'omit' },
      plugins: [new ExpirationPlugin({ maxEntries: 2, maxAgeSeconds: MONTH, purgeOnQuotaError: true })],
    }),
  );
}

/** Caches the map tiles that the visitor has seen. Quotes have another storage, so tiles take no room from them. */
export function cacheTiles(): void {
  if (!tiles) return;
  const shape = shapeOf(tiles.url);
  const template = tiles.url.split('?')[0]!.replace('{s}', 's');
  registerRoute(
    ({ url }) => shape.test(url.href),
    new CacheFirst({
      cacheName: 'tiles',
      fetchOptions: { mode: 'cors', credentials: 'omit' },
      plugins: [
        {
          // Tiles come from several hosts and with an API key. The cache key leaves out both, so that each tile is
          // stored only once.
          cacheKeyWillBeUsed: async ({ request }) => {
            const { z, x, y, r = '' } = shape.exec(request.url)!.groups!;
            return `${template}?${z}/${x}/${y}${r}`;
          },
          cacheWillUpdate: async ({ response }) => (isWorthKeeping(response) ? dated(response) : null),
          cachedResponseWillBeUsed: async ({ cachedResponse }) =>
            cachedResponse && isFresh(cachedResponse) ? cachedResponse : null,
        },
        new ExpirationPlugin({ maxEntries: 200, maxAgeSeconds: MONTH, purgeOnQuotaError: true }),
      ],
    }),
  );
}

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

/** False for an error page or a captive portal's page, which would otherwise be shown as a tile for a month. */
function isWorthKeeping(response: Response): boolean {
  const isPicture = response.headers.get('content-type')?.startsWith('image/') === true;
  return response.status === 200 && isPicture && !policyOf(response).includes('no-store');
}

/**
 * Adds a `date` header, from which the tile's age is computed, because this script cannot read the `date` header of
 * another host.
 */
function dated(response: Response): Response {
  const headers = new Headers(response.headers);
  headers.set('date', new Date().toUTCString());
  return new Response(response.body, { headers });
}

function isFresh(response: Response): boolean {
  const allowed = /max-age=(\d+)/.exec(policyOf(response))?.[1];
  return !allowed || Date.now() - Date.parse(response.headers.get('date')!) < Number(allowed) * 1000;
}
