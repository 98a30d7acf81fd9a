/** As wide as the configured site needs, and no wider. `inline` holds "script 'sha256-…'" and "style 'sha256-…'". */
export function contentSecurityPolicy(inline: Iterable<string>, environment: Readonly<Record<string, string>>): string {
  const hashes = (tag: string) =>
    [...inline].filter((entry) => entry.startsWith(tag)).map((entry) => entry.slice(tag.length + 1));
  const origins = (...names: string[]) =>
    names
      .map((name) => environment[name])
      .filter(Boolean)
      .map((url) => tileHosts(url!));
  const voice = isVoiceConfigured(environment) ? voiceSources(environment) : undefined;
  // Without spaces between directives: each byte of it travels in the first flight.
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...hashes('script'), ...(voice?.script ?? [])],
    ['style-src', "'self'", ...hashes('style')],
    ['img-src', "'self'", 'data:', 'blob:', ...origins('VITE_HERO_IMAGE_URL', 'VITE_TILE_URL')],
    // The worker fetches what it caches, pictures included, under this line.
    [
      'connect-src',
      "'self'",
      ...origins('VITE_SUPABASE_URL', 'VITE_HERO_IMAGE_URL', 'VITE_TILE_URL'),
      ...(voice?.connect ?? []),
    ],
    ['font-src', "'self'"],
    ['manifest-src', "'self'"],
    // Without it, script-src speaks for workers too.
    ...(voice
      ? [
          ['worker-src', "'self'", 'blob:'],
          ['media-src', "'self'", 'blob:'],
        ]
      : []),
    ['base-uri', "'none'"],
    // The form itself goes where it came from, and only where no script runs.
    ['form-action', environment['VITE_SUPABASE_URL'] ? "'none'" : "'self'"],
    ['frame-ancestors', "'none'"],
  ]
    .map((directive) => directive.join(' '))
    .join(';');
}

function tileHosts(url: string): string {
  // {s} stands for the subdomains of a tile service, which a policy writes as *.
  const { protocol, host } = new URL(url.replace('{s}', 'subdomain').replaceAll(/[{}]/g, ''));
  return `${protocol}//${host.replace('subdomain', '*')}`;
}

/** The microphone is for calls alone. */
export function permissionsPolicy(environment: Readonly<Record<string, string>>): string {
  const forCalls = isVoiceConfigured(environment) ? ['autoplay=(self)', 'microphone=(self)'] : ['microphone=()'];
  return ['camera=()', 'display-capture=()', 'geolocation=()', ...forCalls].join();
}

function isVoiceConfigured(environment: Readonly<Record<string, string>>): boolean {
  return Boolean(environment['VITE_VAPI_PUBLIC_KEY']);
}

/** Vapi takes the call; Daily, whose script comes when a room is joined, carries it. */
function voiceSources(environment: Readonly<Record<string, string>>) {
  const api = new URL(environment['VITE_VAPI_BASE_URL'] || 'https://api.vapi.ai').origin;
  return {
    // The last two are what its noise cancellation runs as: an audio worklet and WebAssembly.
    script: ['https://c.daily.co', 'blob:', "'wasm-unsafe-eval'"],
    connect: [api, 'https://*.daily.co', 'wss://*.daily.co'],
  };
}
