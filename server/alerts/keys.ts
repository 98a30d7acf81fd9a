// Keys that open something, here and in the function of a hosted project. As all that it runs, without anything of node:.

/** A function without a key lets nobody in. Both are hashed first, so that nothing of the key shows in how long it takes. */
export async function isKey(given: string | null, key: string | undefined): Promise<boolean> {
  const [one, other] = await Promise.all([digestOf(given ?? ''), digestOf(key ?? '')]);
  let difference = given && key ? 0 : 1;
  for (const [at, byte] of one.entries()) difference |= byte ^ other[at]!;
  return difference === 0;
}

/**
 * The key of the database: the newest kind that the project gives its functions.
 * https://supabase.com/docs/guides/functions/secrets
 */
export function readSecretKey(environment: Readonly<Record<string, string>>): string {
  const { SUPABASE_SECRET_KEYS: named = '{}', SUPABASE_SERVICE_ROLE_KEY: signed = '' } = environment;
  const keys = JSON.parse(named) as Record<string, string>;
  const key = keys['default'] ?? Object.values(keys)[0] ?? signed;
  if (!key) throw new Error('The project gives its function no key of the database.');
  return key;
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}
