// The only module that reads import.meta.env, checked by build/environment.ts. Names are written out, so the build inserts
// constants and drops the code of missing settings.

declare global {
  /** A variable that is not named below does not compile. */
  interface ViteTypeOptions {
    strictImportMetaEnv: unknown;
  }
  /** Settings; a missing one is an empty string. */
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
    /** Version and facts of the privacy notice, from build/privacy-notice.ts. */
    readonly NOTICE_VERSION: string;
    readonly NOTICE_FACTS: string;
  }
}

/** Separate constant, so that the worker's build drops the code for a missing image. */
export const heroImageUrl = import.meta.env.VITE_HERO_IMAGE_URL || undefined;

/** Testimonials of the company's own customers. */
export const ownTestimonials = import.meta.env.VITE_TESTIMONIALS
  ? (JSON.parse(import.meta.env.VITE_TESTIMONIALS) as readonly Readonly<
      Record<'quote' | 'quoteEn' | 'author' | 'role', string> & { rating: number }
    >[])
  : undefined;

/** Version of the privacy notice on this page. */
export const noticeVersion = import.meta.env.NOTICE_VERSION;
export const noticeFacts = import.meta.env.NOTICE_FACTS;

/** Raster tiles over the map's own land. */
export const tiles = import.meta.env.VITE_TILE_URL
  ? { url: import.meta.env.VITE_TILE_URL, attribution: import.meta.env.VITE_TILE_ATTRIBUTION }
  : undefined;

/** Voice assistant; the build drops its code if it is not configured. */
export const voice = import.meta.env.VITE_VAPI_PUBLIC_KEY
  ? {
      publicKey: import.meta.env.VITE_VAPI_PUBLIC_KEY,
      assistantId: import.meta.env.VITE_VAPI_ASSISTANT_ID,
      baseUrl: import.meta.env.VITE_VAPI_BASE_URL || undefined,
    }
  : undefined;

const publishableKey = import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY || 'aeropuente-public';

/**
 * Headers of visitors' requests. Only an old API key, which is a signed token, may be a bearer token
 * (src/lead/api-key.ts). The build keeps one of the two cases; if no code uses the headers, it keeps neither, because
 * the call is marked as pure.
 */
export const keyHeaders: Readonly<Record<string, string>> = /* @__PURE__ */ publishableKey.startsWith('eyJ')
  ? { apikey: publishableKey, authorization: `Bearer ${publishableKey}` }
  : { apikey: publishableKey };

/** Address for the form without script; a hosted project has none. */
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
