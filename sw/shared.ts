import { registerRoute } from 'workbox-routing';
import { SHARED_ADDRESS, SHARED_CACHE, SHARED_PATH } from '../src/agreements.ts';

/** Stores text and files that another app shares, until the page reads them (src/phone/shared-item.ts). */
export function receiveShared(): void {
  registerRoute(
    ({ url }) => url.pathname === SHARED_PATH,
    async ({ request }) => {
      // If the phone has no room, nothing is stored, and the page says that nothing arrived.
      await keep(request).catch(() => undefined);
      return Response.redirect(`/${SHARED_ADDRESS}`, 303);
    },
    'POST',
  );
}

async function keep(request: Request): Promise<void> {
  // The earlier item is deleted first. If the new one does not fit, the page must not show the earlier one.
  await caches.delete(SHARED_CACHE);
  const headers = { 'content-type': request.headers.get('content-type')! };
  const cache = await caches.open(SHARED_CACHE);
  await cache.put(SHARED_PATH, new Response(await request.blob(), { headers }));
}
