// This module alone reads import.meta.env; build/environment.ts checks that. Each variable is written with its full
// name: the build replaces it by its value, and removes the code of a setting that is missing.

declare global {
  /** With this property, Vite's types refuse a variable that is not listed below. */
  interface ViteTypeOptions {
    strictImportMetaEnv: unknown;
  }
  /** Settings; a missing setting is an empty string. */
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
    /** Version and facts of the privacy notice. build/privacy-notice.ts computes them. */
    readonly NOTICE_VERSION: string;
    readonly NOTICE_FACTS: string;
  }
}

/**
 * This constant is not part of `config`, so that the worker's build can remove the code for the image if none is set.
 */
export const heroImageUrl = import.meta.env.VITE_HERO_IMAGE_URL || undefined;

/** Testimonials of the company's real customers. */
export const ownTestimonials = import.meta.env.VITE_TESTIMONIALS
  ? (JSON.parse(import.meta.env.VITE_TESTIMONIALS) as readonly Readonly<
      Record<'quote' | 'quoteEn' | 'author' | 'role', string> & { rating: number }
    >[])
  : undefined;

export const noticeVersion = import.meta.env.NOTICE_VERSION;
export const noticeFacts = import.meta.env.NOTICE_FACTS;

/**
 * Tile service of the map; undefined if the settings name none. The map then shows only its own drawing of the land.
 */
export const tiles = import.meta.env.VITE_TILE_URL
  ? { url: import.meta.env.VITE_TILE_URL, attribution: import.meta.env.VITE_TILE_ATTRIBUTION }
  : undefined;

/** Voice assistant; undefined without its settings, and the build then removes its code. */
export const voice = import.meta.env.VITE_VAPI_PUBLIC_KEY
  ? {
      publicKey: import.meta.env.VITE_VAPI_PUBLIC_KEY,
      assistantId: import.meta.env.VITE_VAPI_ASSISTANT_ID,
      baseUrl: import.meta.env.VITE_VAPI_BASE_URL || undefined,
    }
  : undefined;

const publishableKey = import.meta.env.VITE_SUPABASE_PUBLISHABLE_KEY || 'aeropuente-public';

/**
 * Headers of requests to the database. An old API key, which begins with 'eyJ', is also sent as bearer token; Supabase
 * refuses a newer key as bearer token (src/lead/api-key.ts). `@__PURE__` lets the build drop the headers from files
 * that do not use them.
 */
export const keyHeaders: Readonly<Record<string, string>> = /* @__PURE__ */ publishableKey.startsWith('eyJ')
  ? { apikey: publishableKey, authorization: `Bearer ${publishableKey}` }
  : { apikey: publishableKey };

/** Address to which a form without scripts is sent; undefined on hosted Supabase, which cannot receive it. */
export const formAction = import.meta.env.VITE_SUPABASE_URL ? undefined : '/cotizar';

export const config = {
  /** Host of the database; undefined if the database is on this site's own server. */
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
