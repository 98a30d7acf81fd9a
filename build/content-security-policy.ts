/** As wide as the configured site needs, and no wider. `inline` holds "script 'sha256-…'" and "style 'sha256-…'". */
export function contentSecurityPolicy(inline: Iterable<string>, environment: Readonly<Record<string, string>>): string {
  const hashes = (tag: string) =>
    [...inline].filter((entry) => entry.startsWith(tag)).map((entry) => entry.slice(tag.length + 1));
  const origins = (...names: string[]) =>
    names
      .map((name) => environment[name])
      .filter(Boolean)
      .map((url) => tileHosts(url!));
  return [
    ['default-src', "'none'"],
    ['script-src', "'self'", ...hashes('script')],
    ['style-src', "'self'", ...hashes('style')],
    ['img-src', "'self'", 'data:', 'blob:', ...origins('VITE_HERO_IMAGE_URL', 'VITE_TILE_URL')],
    // The worker fetches what it caches, pictures included, under this line.
    ['connect-src', "'self'", ...origins('VITE_SUPABASE_URL', 'VITE_HERO_IMAGE_URL', 'VITE_TILE_URL')],
    ['font-src', "'self'"],
    ['manifest-src', "'self'"],
    ['worker-src', "'self'"],
    ['base-uri', "'none'"],
    ['form-action', "'none'"],
    ['frame-ancestors', "'none'"],
  ]
    .map((directive) => directive.join(' '))
    .join('; ');
}

function tileHosts(url: string): string {
  // {s} stands for the subdomains of a tile service, which a policy writes as *.
  const { protocol, host } = new URL(url.replace('{s}', 'subdomain').replaceAll(/[{}]/g, ''));
  return `${protocol}//${host.replace('subdomain', '*')}`;
}
