/** Form of the header with the signature. */
export const SIGNATURE = /^sha256=([0-9a-f]{64})$/;

/**
 * Whether WhatsApp signed these bytes with the app's secret. Compares in constant time, and uses the received bytes,
 * because another JSON text of the same value has another signature.
 */
export async function isSigned(raw: Uint8Array<ArrayBuffer>, header: string | null, secret: string): Promise<boolean> {
  const hex = SIGNATURE.exec(header ?? '')?.[1];
  if (!hex) return false;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify']);
  const signature = Uint8Array.from(hex.match(/../g)!, (pair) => Number.parseInt(pair, 16));
  return crypto.subtle.verify('HMAC', key, signature, raw);
}
