/**
 * True if `candidate` equals `key`; always false if no key is set. Compares hashes in constant time, so that the time
 * reveals nothing about the key.
 */
export async function isKey(candidate: string | null, key: string | undefined): Promise<boolean> {
  const [one, other] = await Promise.all([digestOf(candidate ?? ''), digestOf(key ?? '')]);
  let difference = candidate && key ? 0 : 1;
  for (const [at, byte] of one.entries()) difference |= byte ^ other[at]!;
  return difference === 0;
}

/**
 * Reads the key with which an Edge Function opens the database: a new secret key, otherwise the older service-role key
 * (https://supabase.com/docs/guides/functions/secrets).
 */
export function readSecretKey(environment: Readonly<Record<string, string>>): string {
  const { SUPABASE_SECRET_KEYS: named = '{}', SUPABASE_SERVICE_ROLE_KEY: signed = '' } = environment;
  const keys = JSON.parse(named) as Record<string, string>;
  const key = keys['default'] ?? Object.values(keys)[0] ?? signed;
  if (!key) throw new Error('The function has no key of the database (SUPABASE_SECRET_KEYS).');
  return key;
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
