import { isKey } from '../../alerts/keys.ts';
import { retryTime } from '../../alerts/send-due.ts';
import type { WhatsAppSettings } from '../../alerts/settings.ts';
import { itemsOf, type HookItem } from './items.ts';
import { fetchMedia, readBytes, toBase64 } from './media.ts';
import { isSigned, SIGNATURE } from './signature.ts';
import type { Fetch } from '../../alerts/whatsapp.ts';

// This file, like all files of this folder except intake.ts, also runs in an Edge Function of a hosted project, so it
// imports no module of node:.

/** Maximum number of bytes of a webhook, which may report a thousand events. */
const MOST_BYTES = 3 * 1024 * 1024;
/**
 * Maximum number of bytes of a small webhook. At most MOST_LARGE larger ones are read at the same time, because they
 * need memory. Small ones have no such limit: strangers could otherwise use it up, and WhatsApp's own webhooks would be
 * refused.
 */
const USUAL_BYTES = 64 * 1024;
const MOST_LARGE = 4;

export interface HookStore {
  store(raw: string): Promise<void>;
  /** Returns stored webhooks to process. No other call returns them for at least a minute. */
  claim(at: Date): Promise<readonly { readonly id: string | number; readonly raw: string }[]>;
  /**
   * Applies the events of a webhook (`items`). Resolves with the number of events that failed. If any failed, the
   * webhook is processed again.
   */
  finish(id: string | number, at: Date, items: readonly HookItem[]): Promise<number>;
  /** Claims the next file to fetch, for two minutes. */
  claimMedia(at: Date): Promise<readonly Media[]>;
  /**
   * Stores a file. If `base64` is null, the fetch failed: the file is fetched again at `againAt`, or given up if
   * `againAt` is null.
   */
  finishMedia(id: string | number, at: Date, base64: string | null, againAt: Date | null): Promise<void>;
}

interface Media {
  readonly id: string | number;
  readonly media_id: string;
  readonly attempts: number;
}

const HOUR = 3_600_000;

/**
 * Answers `GET /whatsapp`, with which Meta checks that this address is ours, and `POST /whatsapp`, with which WhatsApp
 * sends a webhook. The webhook is processed after the answer.
 */
export function createHookHandler(settings: WhatsAppSettings, store: HookStore, work: () => void) {
  /** Number of large bodies that are being read. */
  let large = 0;
  async function read(request: Request): Promise<Uint8Array<ArrayBuffer> | Response> {
    const length = request.headers.get('content-length');
    if (Number(length) > MOST_BYTES) return answer(413, { connection: 'close' });
    const isLarge = !length || Number(length) > USUAL_BYTES;
    if (isLarge && large >= MOST_LARGE) return answer(503, { connection: 'close', 'retry-after': '5' });
    if (isLarge) large += 1;
    try {
      const raw = await readBytes(request, MOST_BYTES);
      return raw === 'refused' ? answer(413, { connection: 'close' }) : raw;
    } catch {
      return answer(400);
    } finally {
      if (isLarge) large -= 1;
    }
  }
  return async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return handshake(new URL(request.url).searchParams, settings.verifyToken);
    if (request.method !== 'POST') return answer(405, { allow: 'GET, POST' });
    const signature = request.headers.get('x-hub-signature-256');
    if (!signature || !SIGNATURE.test(signature)) return answer(401);
    const raw = await read(request);
    if (raw instanceof Response) return raw;
    if (!(await isSigned(raw, signature, settings.appSecret))) return answer(401);
    // Raw NUL characters are removed, because PostgreSQL refuses them. Valid JSON has none.
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
  /** Ends the processing after the current webhook, or at once while a file is being fetched. */
  readonly signal?: AbortSignal;
}

/** Processes all stored webhooks, then fetches their files. */
export async function workHooks(options: WorkOptions): Promise<void> {
  const { store, settings, fetch, now = Date.now, signal = new AbortController().signal } = options;
  while (!signal.aborted) {
    const hooks = await store.claim(new Date(now()));
    for (const { id, raw } of hooks) {
      if (signal.aborted) return;
      try {
        const failures = await store.finish(id, new Date(now()), itemsOf(raw, settings.phoneId, now()));
        if (failures > 0) console.error(`${failures} events of WhatsApp could not be stored. Trying again.`);
      } catch (error) {
        // The loop continues, because a webhook that the database refuses must not keep later ones waiting.
        console.error(`A webhook of WhatsApp could not be processed: ${(error as Error).message}. Trying again.`);
      }
    }
    if (hooks.length === 0) break;
  }
  // Files are fetched one after another, because each may have ten megabytes.
  while (!signal.aborted) {
    const [claimed] = await store.claimMedia(new Date(now()));
    if (!claimed) return;
    const { id, media_id, attempts } = claimed;
    const file = await fetchMedia(media_id, settings, fetch, signal);
    const at = new Date(now());
    const nextTry = retryTime({ after: Math.min(HOUR, 2 ** attempts * 5000) }, attempts, at.getTime());
    if (file === 'again') await store.finishMedia(id, at, null, nextTry);
    else await store.finishMedia(id, at, file === 'refused' ? null : toBase64(file), null);
  }
}
