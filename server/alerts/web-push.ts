import { mainWords, englishWords } from '../../src/content/bilingual.ts';
import { buildPushPayload } from '@block65/webcrypto-web-push';
import { toBase64Url } from '../../src/lead/base64url.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { isForPhone } from '../../src/lead/vocabulary.ts';
import { tell, type Message, type Outcome } from './message.ts';

/** The pair of keys by which push services know this site (RFC 8292), as base64url. */
export interface PushKeys {
  readonly public_key: string;
  readonly private_key: string;
}

interface PushMeans {
  readonly keys: PushKeys;
  /** Whom a push service writes to when something is wrong: a `mailto:` or an https address. */
  readonly contact: string;
  /** Hosts beside those of the browsers' makers. */
  readonly services: readonly string[];
  readonly site: string;
  readonly fetch: (endpoint: string, request: RequestInit) => Promise<Response>;
}

/**
 * Where browsers have their push services. An address that a visitor names is asked for nothing but these: the server
 * would else knock at any door behind its firewall for them.
 */
const SERVICES = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com'];

const TIME_OUT = 10_000;
const HOUR = 3_600_000;
const LONGEST_WAIT = HOUR;
/** The life of 'Respuesta lista', which stays true: so long it waits for a phone that is off. */
const ANSWER_KEPT = 3 * 24 * HOUR;

export async function makePushKeys(): Promise<PushKeys> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  const { d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const point = await crypto.subtle.exportKey('raw', pair.publicKey);
  return { public_key: toBase64Url(new Uint8Array(point)), private_key: d! };
}

/** `name` is a host, or `*.` and the end of one. */
export function isPushService(endpoint: string, more: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || username || password) return false;
  return [...SERVICES, ...more].some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name));
}

/** One try. What the push service cannot read is folio and kind (RFC 8291), and even that names nobody. */
export async function push(message: Message, means: PushMeans, now: number): Promise<Outcome> {
  const { endpoint, p256dh, auth, kind, promised_at } = message;
  if (!endpoint || !p256dh || !auth) return { kind: 'failed', why: 'the device is gone' };
  if (!isPushService(endpoint, means.services)) return { kind: 'gone', why: 'no push service' };
  // A reminder is of use while it is true; the one that it is late, for as long again.
  const left = isForPhone(kind) ? ANSWER_KEPT : Math.max(Date.parse(promised_at) - now, HOUR);
  const tag = await quoteTag(message.quote_id);
  let request: Awaited<ReturnType<typeof buildPushPayload>>;
  try {
    request = await buildPushPayload(
      {
        data: payloadOf(message, tag, means.site),
        // The push service keeps the last alert about each quote that a device has missed. 32 characters at the most.
        options: { ttl: Math.ceil(left / 1000), urgency: 'high', topic: isForPhone(kind) ? `${tag}-r` : tag },
      },
      { endpoint, expirationTime: null, keys: { p256dh, auth } },
      { subject: means.contact, publicKey: means.keys.public_key, privateKey: means.keys.private_key },
    );
  } catch {
    return { kind: 'gone', why: 'its key is none' };
  }
  try {
    const response = await means.fetch(endpoint, {
      ...request,
      method: 'POST',
      headers: { ...request.headers, 'accept-encoding': 'identity' },
      body: request.body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIME_OUT),
    });
    await response.body?.cancel();
    return outcomeOf(response, now);
  } catch (error) {
    const failure = error as Error;
    return { kind: 'again', why: failure.name === 'RefusedAnswer' ? failure.message : 'not reached' };
  }
}

function outcomeOf({ status, ok, headers }: Response, now: number): Outcome {
  const why = String(status);
  if (ok) return { kind: 'sent', why };
  if (status === 404 || status === 410) return { kind: 'gone', why };
  // 403 among them: a clock that is wrong, or a service that has a bad hour, lets nobody in for a while.
  const wish = headers.get('retry-after');
  if (!wish) return { kind: 'again', why };
  const wait = /^\d+$/.test(wish) ? Number(wish) * 1000 : Date.parse(wish) - now;
  return wait > 0 ? { kind: 'again', after: Math.min(wait, LONGEST_WAIT), why } : { kind: 'again', why };
}

/**
 * Declarative Web Push: an iPhone shows it by itself (iOS 18.4) unless the worker shows something else, all others by
 * their worker. WebKit reads `mutable` and `app_badge` inside the notification, the draft of the W3C beside it.
 * https://webkit.org/blog/16535/meet-declarative-web-push/
 */
export function payloadOf(message: Message, tag: string, site: string) {
  const { says, link } = tell(message, site);
  const beside = { mutable: true, ...(typeof message.badge === 'number' && { app_badge: message.badge }) };
  return {
    web_push: 8030,
    notification: {
      title: mainWords(says),
      body: englishWords(says),
      lang: 'es-MX',
      tag,
      navigate: link,
      data: { message: message.message_id },
      ...beside,
    },
    ...beside,
  };
}
