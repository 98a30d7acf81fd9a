// The only reader of import.meta.env, whose values build/environment.ts has checked. Each is written out in full:
// so it is a constant of the build, and what is not configured is not shipped.

declare global {
  /** A variable that is not named below does not compile. */
  interface ViteTypeOptions {
    strictImportMetaEnv: unknown;
  }
  /** Empty where it is not set. */
  interface ImportMetaEnv {
    readonly VITE_SUPABASE_URL: string;
    readonly VITE_SUPABASE_PUBLISHABLE_KEY: string;
    readonly VITE_VAPI_PUBLIC_KEY: string;
    readonly VITE_VAPI_ASSISTANT_ID: string;
    readonly VITE_VAPI_BASE_URL: string;
    readonly VITE_TILE_URL: string;
    readonly VITE_TILE_ATTRIBUTION: string;
    readonly VITE_HERO_IMAGE_URL: string;
    readonly VITE_SITE_URL: string;
    readonly VITE_COMPANY_NAME: string;
    readonly VITE_COMPANY_LEGAL_NAME: string;
    readonly VITE_COMPANY_PHONE: string;
    readonly VITE_COMPANY_WHATSAPP: string;
    readonly VITE_COMPANY_EMAIL: string;
    readonly VITE_COMPANY_ADDRESS: string;
    readonly VITE_TESTIMONIALS: string;
    /** Of the privacy notice, and what it says of how data are handled: build/privacy-notice.ts. */
    readonly NOTICE_VERSION: string;
    readonly NOTICE_FACTS: string;
  }
}

/** Apart from the rest, so that a worker without it leaves out what it would need. */
export const heroImageUrl = import.meta.env.VITE_HERO_IMAGE_URL || undefined;

/** Words of the company's own customers. */
export const ownTestimonials = import.meta.env.VITE_TESTIMONIALS
  ? (JSON.parse(import.meta.env.VITE_TESTIMONIALS) as readonly Readonly<
      Record<'quote' | 'quoteEn' | 'author' | 'role', string> & { rating: number }
    >[])
  : undefined;

/** Which privacy notice stands on this page. */
export const noticeVersion = import.meta.env.NOTICE_VERSION;
export const noticeFacts = import.meta.env.NOTICE_FACTS;

/** Raster tiles over the map's own land. */
export const tiles = import.meta.env.VITE_TILE_URL
  ? { url: import.meta.env.VITE_TILE_URL, attribution: import.meta.env.VITE_TILE_ATTRIBUTION }
  : undefined;

/** The voice assistant. What belongs to it is left out where it is not configured. */
export const voice = import.meta.env.VITE_VAPI_PUBLIC_KEY
  ? {
      publicKey: import.meta.env.VITE_VAPI_PUBLIC_KEY,
      assistantId: import.meta.env.VITE_VAPI_ASSISTANT_ID,
      baseUrl: import.meta.env.VITE_VAPI_BASE_URL || undefined,
    }
  : undefined;

const publishableKey = import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY || 'aeropuente-public';

/**
 * Headers of whoever is not signed in. Only a signed token, as the older keys are, may be a bearer (src/lead/api-key.ts).
 * The build ships one of the cases, and by the mark of a pure call none where they are not used.
 */
export const keyHeaders: Readonly<Record<string, string>> = /* @__PURE__ */ publishableKey.startsWith('eyJ')
  ? { apikey: publishableKey, authorization: `Bearer ${publishableKey}` }
  : { apikey: publishableKey };

/** Address that takes the form where no script runs; a hosted project has none. */
export const formAction = import.meta.env.VITE_SUPABASE_URL ? undefined : '/cotizar';

export const config = {
  /** Without a hosted project the site speaks to its own origin. */
  supabaseUrl: import.meta.env.VITE_SUPABASE_URL || undefined,
  publishableKey,
  siteUrl: import.meta.env.VITE_SITE_URL || undefined,
  company: {
    name: import.meta.env.VITE_COMPANY_NAME || 'AeroPuente',
    legalName: import.meta.env.VITE_COMPANY_LEGAL_NAME || 'AeroPuente Carga Aérea, S.A. de C.V.',
    phone: import.meta.env.VITE_COMPANY_PHONE || '+52 664 555 0175',
    whatsapp: import.meta.env.VITE_COMPANY_WHATSAPP || '+52 664 555 0175',
    email: import.meta.env.VITE_COMPANY_EMAIL || 'cotizaciones@aeropuente.example',
    address:
      import.meta.env.VITE_COMPANY_ADDRESS ||
      'Aeropuerto Internacional de Tijuana, Terminal de Carga, 22435 Tijuana, B.C.',
  },
} as const;
