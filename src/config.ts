/** The only reader of import.meta.env. build/environment.ts has checked the values. */
const env = import.meta.env;

/** Apart from the rest, so that a worker without it leaves out what it would need. */
export const heroImageUrl = env.VITE_HERO_IMAGE_URL || undefined;

/** Raster tiles over the map's own land. */
export const tiles = env.VITE_TILE_URL
  ? { url: env.VITE_TILE_URL as string, attribution: env.VITE_TILE_ATTRIBUTION as string }
  : undefined;

/** The voice assistant. What belongs to it is left out where it is not configured. */
export const voice = env.VITE_VAPI_PUBLIC_KEY
  ? {
      publicKey: env.VITE_VAPI_PUBLIC_KEY as string,
      assistantId: env.VITE_VAPI_ASSISTANT_ID as string,
      baseUrl: (env.VITE_VAPI_BASE_URL as string) || undefined,
    }
  : undefined;

export const config = {
  /** Without a hosted project the site speaks to its own origin. */
  supabaseUrl: env.VITE_SUPABASE_URL || undefined,
  anonKey: env.VITE_SUPABASE_ANON_KEY || 'aeropuente-public',
  siteUrl: env.VITE_SITE_URL || undefined,
  company: {
    name: env.VITE_COMPANY_NAME || 'AeroPuente',
    legalName: env.VITE_COMPANY_LEGAL_NAME || 'AeroPuente Carga Aérea, S.A. de C.V.',
    phone: env.VITE_COMPANY_PHONE || '+52 664 555 0175',
    whatsapp: env.VITE_COMPANY_WHATSAPP || '+52 664 555 0175',
    email: env.VITE_COMPANY_EMAIL || 'cotizaciones@aeropuente.example',
    address: env.VITE_COMPANY_ADDRESS || 'Aeropuerto Internacional de Tijuana, Terminal de Carga, 22435 Tijuana, B.C.',
  },
} as const;
