import { mainWords, englishWords } from '../../src/content/bilingual.ts';
import { buildPushPayload, encryptNotification } from '@block65/webcrypto-web-push';
import { toBase64Url } from '../../src/lead/base64url.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { isForCustomer } from '../../src/lead/vocabulary.ts';
import { isHostIn } from '../hosts.ts';
import { textOf, type AlertMessage, type Outcome } from './message.ts';

/** Keys by which push services identify this site (RFC 8292), as base64url. */
export interface PushKeys {
  readonly public_key: string;
  readonly private_key: string;
}

interface PushOptions {
  readonly keys: PushKeys;
  /** Contact for push services: a `mailto:` or an https address. */
  readonly contact: string;
  readonly services: readonly string[];
  readonly site: string;
  readonly fetch: (endpoint: string, request: RequestInit) => Promise<Response>;
}

/**
 * Push services of the browsers. Addresses at other hosts are refused, because a visitor could otherwise make the
 * server send requests into its own network.
 */
const SERVICES = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com'];

const TIME_OUT = 10_000;
const HOUR = 3_600_000;
const LONGEST_WAIT = HOUR;
/** Milliseconds for which a push service keeps the alert 'Respuesta lista' (answer ready) for a phone that is off. */
const ANSWER_LIFE = 3 * 24 * HOUR;

export async function makePushKeys(): Promise<PushKeys> {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
  const { d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  const point = await crypto.subtle.exportKey('raw', pair.publicKey);
  return { public_key: toBase64Url(new Uint8Array(point)), private_key: d! };
}

/** True if an address belongs to a push service. `more`: additional hosts. */
export function isPushService(endpoint: string, more: readonly string[]): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || username || password) return false;
  return isHostIn(host, [...SERVICES, ...more]);
}

/** Sends an encrypted push message (RFC 8291) without personal data. */
export async function push(message: AlertMessage, options: PushOptions, now: number): Promise<Outcome> {
  const { endpoint, p256dh, auth, kind, promised_at } = message;
  if (!endpoint || !p256dh || !auth) return { kind: 'failed', why: 'the device is gone' };
  if (!isPushService(endpoint, options.services)) {
    // A customer's device is removed: a stranger may have invented its address, and its failed alerts would raise an
    // alarm. A colleague's device is not removed, because PUSH_SERVICES may lack its host by mistake.
    return { kind: isForCustomer(kind) ? 'gone' : 'failed', why: 'no push service' };
  }
  // Milliseconds for which a push service keeps an undelivered alert. An alert to the team is kept until the answer to
  // the customer is due, but at least an hour.
  const left = isForCustomer(kind) ? ANSWER_LIFE : Math.max(Date.parse(promised_at) - now, HOUR);
  const tag = await quoteTag(message.quote_id);
  const device = { endpoint, expirationTime: null, keys: { p256dh, auth } };
  try {
    // This trial encryption fails only if the device's keys are invalid. `buildPushPayload` below also fails if this
    // site's own keys are invalid, and the device must then stay.
    await encryptNotification(device, new Uint8Array(1));
  } catch {
    return { kind: 'gone', why: 'its key is invalid' };
  }
  const request = await buildPushPayload(
    {
      data: payloadOf(message, tag, options.site),
      // Alerts of the same quote have the same topic, so a push service replaces an undelivered alert by the next one.
      // RFC 8030 limits a topic to 32 characters.
      options: { ttl: Math.ceil(left / 1000), urgency: 'high', topic: isForCustomer(kind) ? `${tag}-r` : tag },
    },
    device,
    { subject: options.contact, publicKey: options.keys.public_key, privateKey: options.keys.private_key },
  );
  try {
    const response = await options.fetch(endpoint, {
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
  // Other statuses may be temporary, so the alert is sent again: a wrong clock, for example, causes 403 for a while.
  const retryAfter = headers.get('retry-after');
  if (!retryAfter) return { kind: 'again', why };
  const wait = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now;
  return wait > 0 ? { kind: 'again', after: Math.min(wait, LONGEST_WAIT), why } : { kind: 'again', why };
}

/**
 * Returns a message in the format of Declarative Web Push, which iPhones (iOS 18.4) can show without the service
 * worker. `mutable` and `app_badge` are sent twice: WebKit reads them inside the notification, the W3C draft has them
 * beside it. https://webkit.org/blog/16535/meet-declarative-web-push/
 */
export function payloadOf(message: AlertMessage, tag: string, site: string) {
  const { text, link } = textOf(message, site);
  const beside = { mutable: true, ...(typeof message.badge === 'number' && { app_badge: message.badge }) };
  return {
    web_push: 8030,
    notification: {
      title: mainWords(text),
      body: englishWords(text),
      lang: 'es-MX',
      tag,
      navigate: link,
      data: { message: message.message_id },
      ...beside,
    },
    ...beside,
  };
}
