import type { Bilingual } from './bilingual.ts';

export const offlineReady = {
  es: 'Ya puede usar esta página sin internet',
  en: 'Ready to use offline',
} as const satisfies Bilingual;

export const pageUpdate = {
  ready: { es: 'Nueva versión', en: 'New version' },
  accept: { es: 'Actualizar', en: 'Update' },
} as const satisfies Record<string, Bilingual>;

export const callOffline = {
  es: 'Sin conexión para llamar · intente de nuevo en un momento',
  en: 'No connection for the call · try again in a moment',
} as const satisfies Bilingual;

export const connectionStatus = {
  gone: {
    es: 'Sin conexión · lo que envíe quedará guardado',
    en: 'Offline · what you send is saved',
  },
  kept: {
    es: 'Sin conexión · su solicitud está guardada',
    en: 'Offline · your request is saved',
  },
  sendsFail: {
    es: 'Aún sin enviar · reintentamos automáticamente',
    en: 'Not sent yet · retrying automatically',
  },
} as const satisfies Record<string, Bilingual>;
