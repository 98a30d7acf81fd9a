import { mainWords } from '../src/content/bilingual.ts';
import type { ManifestOptions } from 'vite-plugin-pwa';
import { QUOTES_ADDRESS, SHARED_PATH } from '../src/agreements.ts';
import { claims } from '../src/content/claims.ts';

export const MANIFEST = 'manifest.webmanifest';

export const manifest = (company: string) =>
  ({
    name: `${company} · carga aérea México–China`,
    short_name: company,
    description: 'Cotice su carga aérea de México a Zhengzhou, con o sin señal.',
    start_url: '/',
    display: 'standalone',
    background_color: '#f6f1e6',
    theme_color: '#0f1c36',
    lang: 'es-MX',
    scope: '/',
    id: '/',
    // A launch focuses the window that is open already, because it may have unsent text (src/phone/launches.ts).
    launch_handler: { client_mode: ['focus-existing', 'auto'] },
    shortcuts: [
      { name: 'Cotizar', url: '/#contact-form' },
      { name: 'Mis cotizaciones', url: `/${QUOTES_ADDRESS}` },
    ],
    share_target: {
      action: SHARED_PATH,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: {
        title: 'title',
        text: 'text',
        url: 'url',
        files: [{ name: 'files', accept: ['image/*', 'application/pdf'] }],
      },
    },
    categories: ['business', 'logistics'],
    // Each purpose has its own icon: a mask would cut the plain icon, and the maskable icon without a mask looks small.
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png', purpose: 'any' },
      { src: '/icons/maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
    screenshots: [
      {
        src: '/screenshots/narrow.png',
        sizes: '540x1110',
        type: 'image/png',
        form_factor: 'narrow',
        label: `En el teléfono: de México a China en ${mainWords(claims.transit)}`,
      },
      {
        src: '/screenshots/wide.png',
        sizes: '1280x720',
        type: 'image/png',
        form_factor: 'wide',
        label: `En la computadora: de México a China en ${mainWords(claims.transit)}`,
      },
    ],
  }) satisfies Partial<ManifestOptions>;
