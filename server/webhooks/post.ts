import dns from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { isHostIn } from '../hosts.ts';
import { requestOnce } from '../plain-fetch.ts';

/** Maximum number of milliseconds of an attempt, from resolving the name to the end of the answer. */
const TIME_OUT = 10_000;
const LONGEST_WAIT = 3_600_000;
/** Maximum number of bytes to read of an answer. */
const MOST_BYTES = 16_384;

export interface WebhookRequest {
  readonly event_id: string;
  readonly url: string;
  readonly secret: string;
  readonly body: string;
}

/** Answer of a receiver. Without an answer, `status` is null and `text` has the reason. */
export interface WebhookResponse {
  readonly status: number | null;
  readonly text: string | null;
  /** Milliseconds that the receiver asks to wait. */
  readonly after?: number;
}

const networks = (family: 'ipv4' | 'ipv6', list: string): BlockList => {
  const block = new BlockList();
  for (const each of list.split(' ')) {
    const [address, bits] = each.split('/');
    block.addSubnet(address!, Number(bits), family);
  }
  return block;
};
/** IPv4 networks that are not of the public Internet (IANA's registry of special-purpose addresses). */
const SPECIAL = networks(
  'ipv4',
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3',
);
/** IPv6 networks of the public Internet: a single block, without loopback, ULA, link-local, mapped IPv4 and NAT64. */
const GLOBAL = networks('ipv6', '2000::/3');
/** Parts of the public IPv6 block that are tunnels to IPv4, or addresses for examples. */
const SPECIAL_6 = networks('ipv6', '2001::/23 2001:db8::/32 2002::/16 3fff::/20');

function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL.check(address);
  const plain = address.replace(/%.*/, '');
  return isIP(plain) === 6 && GLOBAL.check(plain, 'ipv6') && !SPECIAL_6.check(plain, 'ipv6');
}

/** A receiver's name without a port allows every port of that receiver. */
const isAllowed = ({ host, hostname }: URL, hosts: readonly string[]) =>
  isHostIn(host, hosts) || isHostIn(hostname, hosts);

class PrivateAddress extends Error {}

/**
 * Resolves a host name for one connection, and refuses a name with a private address. The connection uses the addresses
 * that were checked, even if the name server gives others afterwards.
 */
const lookUpPublic: LookupFunction = (name, options, found) =>
  dns.lookup(name, { ...options, all: true }, (error, addresses) => {
    const isPrivate = !error && !addresses.every(({ address }) => isPublicAddress(address));
    found(error ?? (isPrivate ? new PrivateAddress() : null), addresses ?? []);
  });

/**
 * Returns the reason why this address may not be called; undefined if it may be called. `hosts`: hosts that may be
 * called even if they are private or have no TLS.
 */
function addressFault(url: URL, hosts: readonly string[]): 'https' | 'private' | undefined {
  if (isAllowed(url, hosts)) return undefined;
  if (url.protocol !== 'https:') return 'https';
  const literal = url.hostname.replaceAll(/[[\]]/g, '');
  return isIP(literal) > 0 && !isPublicAddress(literal) ? 'private' : undefined;
}

/**
 * Checks an address for `webhooks add`. Resolves with the reason why the address may not be called, for example because
 * the host name has a private address; undefined if it may be called.
 */
export async function nameFault(url: URL, hosts: readonly string[]): Promise<string | undefined> {
  const fault = addressFault(url, hosts);
  if (fault || isAllowed(url, hosts) || isIP(url.hostname.replaceAll(/[[\]]/g, '')) > 0) return fault;
  return new Promise((resolve) => {
    lookUpPublic(url.hostname, {}, (error) => resolve(error ? reasonOf(error) : undefined));
  });
}

export interface PostOptions {
  readonly now?: () => number;
  /** Maximum number of milliseconds for the attempt. */
  readonly patience?: number | undefined;
  readonly ending?: AbortSignal;
}

/** Sends a body in the form of Standard Webhooks. Follows no redirect, and reads no more than the start of the answer. */
export async function postWebhook(
  { event_id, url, secret, body }: WebhookRequest,
  hosts: readonly string[],
  { now = Date.now, patience = TIME_OUT, ending }: PostOptions = {},
): Promise<WebhookResponse> {
  const target = new URL(url);
  const fault = addressFault(target, hosts);
  if (fault) return { status: null, text: fault };
  const timeout = AbortSignal.timeout(patience);
  const signal = ending ? AbortSignal.any([timeout, ending]) : timeout;
  const at = new Date(now());
  try {
    const request = new Request(target, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'AeroPuente-Webhooks',
        'webhook-id': event_id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(event_id, at, body),
      },
    });
    const incoming = await requestOnce(request, signal, isAllowed(target, hosts) ? undefined : lookUpPublic);
    const status = incoming.statusCode!;
    const text = await readStart(incoming);
    if (status >= 200 && status < 300) return { status, text: null };
    const wait = [429, 503].includes(status) ? Number(incoming.headers['retry-after']) * 1000 : 0;
    return { status, text: text || null, ...(wait > 0 && { after: Math.min(wait, LONGEST_WAIT) }) };
  } catch (error) {
    return { status: null, text: timeout.aborted ? 'timeout' : reasonOf(error) };
  }
}

/** Returns the start of an answer's text, without control characters. The rest is not read. */
async function readStart(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) break;
    }
  } catch {
    // An error here is ignored: the status has arrived already, and the rest of the answer does not matter.
  }
  incoming.destroy();
  if (incoming.headers['content-encoding']) return '';
  const text = Buffer.concat(chunks).subarray(0, 1000).toString();
  return text.replaceAll(/[\p{Cc}\p{Cf}\uFFFD\s]+/gu, ' ').trim();
}

/** Returns the code of a failed connection, such as ECONNREFUSED. */
function reasonOf(error: unknown): string {
  const causes: unknown[] = [error];
  for (const each of causes) {
    if (!(each instanceof Error)) continue;
    if (each instanceof PrivateAddress) return 'private';
    const { code, cause, errors } = each as { code?: unknown; cause?: unknown; errors?: readonly unknown[] };
    if (typeof code === 'string') return code;
    causes.push(...(errors ?? []), cause);
  }
  return 'unreachable';
}
