import { isKey } from './keys.ts';
import { retryTime } from './send-due.ts';
import type { WhatsAppSettings } from './settings.ts';
import { itemsOf, type HookItem } from './whatsapp-items.ts';
import { fetchMedia, readBytes, toBase64 } from './whatsapp-media.ts';
import { isSigned } from './whatsapp-signature.ts';
import type { Fetch } from './whatsapp.ts';

/** Most bytes of a webhook, which may report a thousand events. */
const MOST_BYTES = 3 * 1024 * 1024;

export interface HookStore {
  /** Stores a webhook as it came. */
  store(raw: string): Promise<void>;
  /** Claims webhooks to work on, for a minute. */
  claim(at: Date): Promise<readonly { readonly id: string | number; readonly raw: string }[]>;
  /** Applies the items of a webhook. Resolves with the number of those that failed; the webhook is then kept. */
  finish(id: string | number, at: Date, items: readonly HookItem[]): Promise<number>;
  /** Claims files to fetch, for two minutes. */
  claimMedia(at: Date): Promise<readonly Media[]>;
  /** Stores a file. If `base64` is null, the file is fetched again at `againAt`, or never if that is null too. */
  finishMedia(id: string | number, at: Date, base64: string | null, againAt: Date | null): Promise<void>;
}

interface Media {
  readonly id: string | number;
  readonly media_id: string;
  readonly attempts: number;
}

const HOUR = 3_600_000;

/** Answers `GET /whatsapp`, by which Meta checks the address, and `POST /whatsapp`, whose work follows the answer. */
export function createHookHandler(settings: WhatsAppSettings, store: HookStore, work: () => void) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return handshake(new URL(request.url).searchParams, settings.verifyToken);
    if (request.method !== 'POST') return answer(405, { allow: 'GET, POST' });
    const signature = request.headers.get('x-hub-signature-256');
    if (!signature) return answer(401);
    const raw = await readBytes(request, MOST_BYTES).catch(() => undefined);
    if (!raw) return answer(400);
    if (raw === 'refused') return answer(413, { connection: 'close' });
    if (!(await isSigned(raw, signature, settings.appSecret))) return answer(401);
    // PostgreSQL stores no NUL, and JSON has none outside of escapes.
    await store.store(new TextDecoder().decode(raw).replaceAll('\0', ''));
    work();
    return answer(200);
  };
}

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response('', { status, headers: { 'content-type': 'text/plain', 'cache-control': 'no-store', ...headers } });

async function handshake(query: URLSearchParams, verifyToken: string): Promise<Response> {
  const isOurs = query.get('hub.mode') === 'subscribe' && (await isKey(query.get('hub.verify_token'), verifyToken));
  const challenge = /^[\w-]{1,100}$/.exec(query.get('hub.challenge') ?? '')?.[0];
  if (!isOurs || !challenge) return answer(403);
  return new Response(challenge, { headers: { 'content-type': 'text/plain', 'cache-control': 'no-store' } });
}

interface WorkOptions {
  readonly store: HookStore;
  readonly settings: WhatsAppSettings;
  readonly fetch: Fetch;
  readonly now?: () => number;
}

/** Works on all stored webhooks, then fetches their files. */
export async function workHooks({ store, settings, fetch, now = Date.now }: WorkOptions): Promise<void> {
  for (;;) {
    const hooks = await store.claim(new Date(now()));
    for (const { id, raw } of hooks) {
      const failures = await store.finish(id, new Date(now()), itemsOf(raw, settings.phoneId, now()));
      if (failures > 0) console.error(`${failures} events of WhatsApp could not be stored. Trying again.`);
    }
    if (hooks.length === 0) break;
  }
  for (;;) {
    const files = await store.claimMedia(new Date(now()));
    if (files.length === 0) return;
    // Files are fetched one after another, because each may have ten megabytes.
    for (const { id, media_id, attempts } of files) {
      const file = await fetchMedia(media_id, settings, fetch);
      const at = new Date(now());
      const again = retryTime({ after: Math.min(HOUR, 2 ** attempts * 5000) }, attempts, at.getTime());
      if (file === 'again') await store.finishMedia(id, at, null, again);
      else await store.finishMedia(id, at, file === 'refused' ? null : toBase64(file), null);
    }
  }
}
