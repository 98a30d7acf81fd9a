import { SHARED_CACHE, SHARED_PATH } from '../agreements.ts';
import { within } from '../outbox/store.ts';

const BOUND = 4000;

export interface SharedItem {
  readonly text: string;
  readonly files: readonly File[];
}

/** Reads the last item that another app shared; undefined if there is none. */
export async function readShared(): Promise<SharedItem | undefined> {
  const stored = await caches.match(SHARED_PATH, { cacheName: SHARED_CACHE });
  const form = await stored?.formData();
  if (!form) return undefined;
  const texts = ['title', 'text', 'url'].flatMap((name) => form.getAll(name));
  return {
    text: texts.flatMap((text) => (typeof text === 'string' && text.trim() ? [text] : [])).join('\n'),
    files: form.getAll('files').filter((file) => file instanceof File && file.size > 0) as File[],
  };
}

/** Deletes the shared item. Pages without HTTPS have no caches. */
export const forgetShared = async (): Promise<unknown> =>
  'caches' in self && within(BOUND, caches.delete(SHARED_CACHE));
