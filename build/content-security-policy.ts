/**
 * Returns the content security policy, as narrow as the configured site allows. `inline` has the hashes of inline
 * scripts and styles, such as "script 'sha256-…'".
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
  // No spaces after semicolons: the header and the document share the first TCP round trip, so each byte counts.
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...hashes('script'), ...(voice?.script ?? [])],
    ['style-src', "'self'", ...hashes('style')],
    ['img-src', "'self'", 'data:', 'blob:', ...origins('VITE_HERO_IMAGE_URL', 'VITE_TILE_URL')],
    // Pictures are in connect-src too, because the service worker fetches them.
    [
      'connect-src',
      "'self'",
      ...origins('VITE_SUPABASE_URL', 'VITE_HERO_IMAGE_URL', 'VITE_TILE_URL'),
      ...(voice?.connect ?? []),
    ],
    ['font-src', "'self'"],
    ['manifest-src', "'self'"],
    // Without worker-src, the wider sources of script-src would apply to workers.
    ...(voice
      ? [
          ['worker-src', "'self'", 'blob:'],
          ['media-src', "'self'", 'blob:'],
        ]
      : []),
    ['base-uri', "'none'"],
    // Without scripts the browser posts the form to our own server, which a site on hosted Supabase does not have.
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

/**
 * Returns the origins that voice calls need: Vapi starts a call; Daily carries the sound, and its script loads when the
 * call begins.
 */
function voiceSources(environment: Readonly<Record<string, string>>) {
  const api = new URL(environment['VITE_VAPI_BASE_URL'] || 'https://api.vapi.ai').origin;
  return {
    // The last two sources are for the noise cancellation: an audio worklet and WebAssembly.
    script: ['https://c.daily.co', 'blob:', "'wasm-unsafe-eval'"],
    connect: [api, 'https://*.daily.co', 'wss://*.daily.co'],
  };
}
