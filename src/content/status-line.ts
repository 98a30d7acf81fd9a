import type { Bilingual } from './bilingual.ts';

/** Texts of the status line, about the site itself. */
export const offlineReady = {
  es: 'Ya puede usar esta página sin internet',
  en: 'Ready to use offline',
} as const satisfies Bilingual;

export const pageUpdate = {
  ready: { es: 'Nueva versión', en: 'New version' },
  accept: { es: 'Actualizar', en: 'Update' },
} as const satisfies Record<string, Bilingual>;

export const callOffline = {
  es: 'Sin conexión para la llamada · toque de nuevo en un momento',
  en: 'No connection for the call · press again in a moment',
} as const satisfies Bilingual;

export const connectionStatus = {
  gone: {
    es: 'Sin conexión · lo que envíe queda guardado',
    en: 'Offline · what you send is kept',
  },
  sendsFail: {
    es: 'Sin entregar todavía · se reintenta solo',
    en: 'Not delivered yet · it is tried again by itself',
  },
} as const satisfies Record<string, Bilingual>;
