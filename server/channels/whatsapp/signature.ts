export const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/**
 * True if WhatsApp signed these bytes with the app's secret. Needs the bytes as received, because the same JSON written
 * in another way has another signature. Compares in constant time.
 */
export async function isSigned(raw: Uint8Array<ArrayBuffer>, header: string | null, secret: string): Promise<boolean> {
  const hex = SIGNATURE.exec(header ?? '')?.[1];
  if (!hex) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
  const signature = Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', key, signature, raw);
}
