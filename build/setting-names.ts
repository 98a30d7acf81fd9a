export type Environment = Readonly<Record<string, string | undefined>>;

/** Renamed settings with their earlier names, which still work. */
export const EARLIER_NAMES = {
  VITE_SUPABASE_PUBLISHABLE_KEY: 'VITE_SUPABASE_ANON_KEY',
  SUPABASE_SECRET_KEY: 'SUPABASE_SERVICE_ROLE_KEY',
} as const;

/**
 * Reads a renamed setting under its new or its earlier name. Throws if both are set to different values. A blank value
 * counts as missing.
 */
export function readRenamed(name: keyof typeof EARLIER_NAMES, environment: Environment): string | undefined {
  const earlier = EARLIER_NAMES[name];
  const [value, other] = [environment[name], environment[earlier]];
  if (value && other && value !== other)
    throw new Error(`${name} and ${earlier} are both set and differ: keep ${name}, and take ${earlier} out.`);
  return value || other || undefined;
}
