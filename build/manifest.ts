import type { ManifestOptions } from 'vite-plugin-pwa';

export const manifest: Partial<ManifestOptions> = {
  id: '/',
  name: 'AeroPuente · carga aérea México–China',
  short_name: 'AeroPuente',
  lang: 'es-MX',
  dir: 'ltr',
  description: 'Cotice su carga aérea de México a Zhengzhou, con o sin señal.',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  theme_color: '#0f1c36',
  background_color: '#f6f1e6',
  categories: ['business', 'logistics'],
  icons: [{ src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' }],
};
