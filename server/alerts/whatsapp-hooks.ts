import { isRecord, type UnknownRecord } from '../../src/lead/validation.ts';
import { isKey } from './keys.ts';
import { retryTime } from './send-due.ts';
import type { WhatsAppSettings } from './settings.ts';
import { isSigned } from './whatsapp-signature.ts';
import { outcomeOfCode } from './whatsapp.ts';

/** Most bytes of a webhook, which may report a thousand events. */
const MOST_BYTES = 3 * 1024 * 1024;
const UUID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,4})$/;

export interface HookStore {
  /** Stores a webhook as it came. */
  store(raw: string): Promise<void>;
  /** Claims webhooks to work on, for a minute. */
  claim(at: Date): Promise<readonly { readonly id: string | number; readonly raw: string }[]>;
  /** Applies the items of a webhook. Resolves with the number of those that failed; the webhook is then kept. */
  finish(id: string | number, at: Date, items: readonly HookItem[]): Promise<number>;
}

/** Confirmation that a message was sent, delivered or read, or its failure. */
interface HookItem {
  readonly id: string;
  readonly at: string;
  readonly number: string;
  readonly user: string;
  readonly message?: string;
  readonly attempt?: number;
  readonly outcome: string;
  readonly why: string;
  readonly code?: number;
  readonly again_at?: string;
}

/** Answers `GET /whatsapp`, by which Meta checks the address, and `POST /whatsapp`, whose work follows the answer. */
export function createHookHandler(settings: WhatsAppSettings, store: HookStore, work: () => void) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'GET') return handshake(new URL(request.url).searchParams, settings.verifyToken);
    if (request.method !== 'POST') return answer(405, { allow: 'GET, POST' });
    const signature = request.headers.get('x-hub-signature-256');
    if (!signature) return answer(401);
    const raw = await readBytes(request, MOST_BYTES);
    if (raw === 'too large') return answer(413, { connection: 'close' });
    if (raw === 'cut off') return answer(400);
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

async function readBytes(request: Request, most: number): Promise<Uint8Array<ArrayBuffer> | 'too large' | 'cut off'> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.byteLength;
      if (size > most) return 'too large';
      chunks.push(chunk);
    }
  } catch {
    return 'cut off';
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Works on all stored webhooks. Resolves with their number. */
export async function workHooks(store: HookStore, settings: WhatsAppSettings, now = Date.now): Promise<number> {
  let count = 0;
  for (;;) {
    const hooks = await store.claim(new Date(now()));
    if (hooks.length === 0) return count;
    for (const { id, raw } of hooks) {
      const failures = await store.finish(id, new Date(now()), itemsOf(raw, settings.phoneId, now()));
      if (failures > 0) console.error(`${failures} events of WhatsApp could not be stored. Trying again.`);
    }
    count += hooks.length;
  }
}

const listIn = (value: unknown): readonly UnknownRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Events of a webhook for our number, in their order. Events of unknown form are left out. */
function itemsOf(raw: string, phoneId: string, now: number): readonly HookItem[] {
  let body: unknown;
  try {
    body = JSON.parse(raw);
  } catch {
    return [];
  }
  return listIn(isRecord(body) && body['entry']).flatMap((entry) =>
    listIn(entry['changes']).flatMap(({ field, value }) => {
      if (field !== 'messages' || !isRecord(value)) return [];
      const { metadata, statuses } = value;
      if (!isRecord(metadata) || metadata['phone_number_id'] !== phoneId) return [];
      return listIn(statuses).flatMap((status) => statusOf(status, now));
    }),
  );
}

/** Time of an event, in seconds as text; never later than now, because the window ends by it. */
function timeOf(timestamp: unknown, now: number): string {
  const at = Number(timestamp) * 1000;
  return new Date(Math.min(Number.isFinite(at) && at > 0 ? at : now, now)).toISOString();
}

function statusOf(status: UnknownRecord, now: number): HookItem[] {
  const { id, status: state, timestamp, recipient_id, recipient_user_id, biz_opaque_callback_data, errors } = status;
  const [, message, attempt] = UUID.exec(textIn(biz_opaque_callback_data)) ?? [];
  const beside = {
    id: textIn(id),
    at: timeOf(timestamp, now),
    number: textIn(recipient_id),
    user: textIn(recipient_user_id),
    ...(message && { message, attempt: Number(attempt) }),
  };
  if (!beside.id) return [];
  if (state === 'sent' || state === 'delivered' || state === 'read') return [{ ...beside, outcome: state, why: state }];
  if (state !== 'failed') return [];
  const code = Number(listIn(errors)[0]?.['code']);
  const outcome = outcomeOfCode(Number.isFinite(code) ? code : -1, Number(attempt ?? 1));
  const again = outcome.kind === 'again' || outcome.kind === 'rest';
  return [
    {
      ...beside,
      outcome: outcome.kind,
      why: outcome.why ?? '',
      ...(Number.isFinite(code) && { code }),
      ...(again && { again_at: retryTime(outcome, Number(attempt ?? 1), now).toISOString() }),
    },
  ];
}
