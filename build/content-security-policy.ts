/**
 * Content security policy, as narrow as the configured site allows. `inline` holds "script 'sha256-…'" and "style
 * 'sha256-…'".
 */
export function contentSecurityPolicy(inline: Iterable<string>, environment: Readonly<Record<string, string>>): string {
  const hashes = (tag: string) =>
    [...inline].filter((entry) => entry.startsWith(tag)).map((entry) => entry.slice(tag.length + 1));
  const origins = (...names: string[]) =>
    names
      .map((name) => environment[name])
      .filter(Boolean)
      .map((url) => tileHosts(url!));
  const voice = isVoiceConfigured(environment) ? voiceSources(environment) : undefined;
  // No space after a semicolon: the header shares the first TCP round trip with the document.
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...hashes('script'), ...(voice?.script ?? [])],
    ['style-src', "'self'", ...hashes('style')],
    ['img-src', "'self'", 'data:', 'blob:', ...origins('VITE_HERO_IMAGE_URL', 'VITE_TILE_URL')],
    // The worker's fetches, also of pictures, fall under connect-src.
    [
      'connect-src',
      "'self'",
      ...origins('VITE_SUPABASE_URL', 'VITE_HERO_IMAGE_URL', 'VITE_TILE_URL'),
      ...(voice?.connect ?? []),
    ],
    ['font-src', "'self'"],
    ['manifest-src', "'self'"],
    // Workers need their own directive, because script-src would otherwise apply to them.
    ...(voice
      ? [
          ['worker-src', "'self'", 'blob:'],
          ['media-src', "'self'", 'blob:'],
        ]
      : []),
    ['base-uri', "'none'"],
    // Browsers without scripts post the form to its own origin.
    ['form-action', environment['VITE_SUPABASE_URL'] ? "'none'" : "'self'"],
    ['frame-ancestors', "'none'"],
  ]
    .map((directive) => directive.join(' '))
    .join(';');
}

function tileHosts(url: string): string {
  // {s} is the subdomain of a tile service, written as * in a policy.
  const { protocol, host } = new URL(url.replace('{s}', 'subdomain').replaceAll(/[{}]/g, ''));
  return `${protocol}//${host.replace('subdomain', '*')}`;
}

export function permissionsPolicy(environment: Readonly<Record<string, string>>): string {
  const forCalls = isVoiceConfigured(environment) ? ['autoplay=(self)', 'microphone=(self)'] : ['microphone=()'];
  return ['camera=()', 'display-capture=()', 'geolocation=()', ...forCalls].join();
}

function isVoiceConfigured(environment: Readonly<Record<string, string>>): boolean {
  return Boolean(environment['VITE_VAPI_PUBLIC_KEY']);
}

/** Origins that voice calls need: Vapi starts a call, Daily carries the sound. Daily's script loads on joining a room. */
function voiceSources(environment: Readonly<Record<string, string>>) {
  const api = new URL(environment['VITE_VAPI_BASE_URL'] || 'https://api.vapi.ai').origin;
  return {
    // The last two sources are for the noise cancellation: an audio worklet and WebAssembly.
    script: ['https://c.daily.co', 'blob:', "'wasm-unsafe-eval'"],
    connect: [api, 'https://*.daily.co', 'wss://*.daily.co'],
  };
}
