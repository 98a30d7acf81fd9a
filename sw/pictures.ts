import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';
import { heroImageUrl } from '../src/config.ts';

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
