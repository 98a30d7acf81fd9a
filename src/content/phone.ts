import type { Bilingual } from './bilingual.ts';

export const install = {
  title: { es: 'La app en su teléfono', en: 'The app on your phone' },
  why: {
    es: 'Abre sin señal y guarda mejor sus solicitudes.',
    en: 'It opens without signal and stores your requests more safely.',
  },
  accept: { es: 'Instalar', en: 'Install' },
  refuse: { es: 'Ahora no', en: 'Not now' },
  /** Hint for iPhones and iPads, whose browsers have no install prompt. */
  byHand: {
    es: 'Toque Compartir y después «Agregar a inicio».',
    en: 'Tap Share, then “Add to Home Screen”.',
  },
  /**
   * Shown while a quote or message is unsent. It would be missing in the installed app, which has a separate storage.
   */
  waitFirst: {
    es: 'Antes de instalarla, espere a que se entregue lo pendiente: la app instalada no lo trae.',
    en: 'Before you install it, wait until everything pending is delivered: the installed app does not have it.',
  },
} as const satisfies Record<string, Bilingual>;

export const dataSaver = {
  label: { es: 'Ahorro de datos', en: 'Data saver' },
  what: {
    es: 'Con el ahorro activo, el mapa y las imágenes se descargan sólo si los toca. Al escribir su solicitud se guarda lo justo para enviarla sin señal (unos 46 kB).',
    en: 'While saving, map and pictures download only if you tap them. When you write a request, just enough is saved to send it without signal (about 46 kB).',
  },
  spent: (kilobytes: number, otherwise: number): Bilingual => ({
    es: `Esta visita usó ${kilobytes} kB; sin ahorro habrían sido ${otherwise} kB o más.`,
    en: `This visit used ${kilobytes} kB; without data saver, ${otherwise} kB or more.`,
  }),
} as const;

/** Choice of language. The key is the language to show; with an empty key both are shown. */
export const languages = {
  label: { es: 'Idioma', en: 'Language' },
  choices: { '': 'Español e inglés', es: 'Solo español', 'en-MX': 'English only' },
} as const;

/** Texts about how safely a waiting quote is stored on this phone. */
export const storage = {
  full: {
    es: 'Este teléfono casi no tiene espacio: libere un poco o envíela por WhatsApp.',
    en: 'This phone is nearly full: free some space, or send it by WhatsApp.',
  },
  protected: {
    es: 'Protegida: el teléfono no la borrará por su cuenta.',
    en: 'Protected: the phone will not delete it on its own.',
  },
  appleTab: {
    es: 'Safari borra lo guardado si no abre esta página en 7 días. Ábrala antes con señal o envíe la solicitud por WhatsApp.',
    en: 'Safari deletes what is saved if you do not open this page for 7 days. Open it sooner with signal, or send the request by WhatsApp.',
  },
  appleApp: {
    es: 'Guardada en la app: iOS sólo la borraría si se quedara sin espacio.',
    en: 'Saved in the app: iOS would delete it only if it runs out of space.',
  },
  evictableTab: {
    es: 'El navegador podría borrarla si se queda sin espacio: instale la app o envíela por WhatsApp.',
    en: 'The browser could delete it if it runs out of space: install the app or send it by WhatsApp.',
  },
  evictableApp: {
    es: 'El teléfono podría borrarla si se queda sin espacio. Si le urge, envíela por WhatsApp.',
    en: 'The phone could delete it if it runs out of space. If it is urgent, send it by WhatsApp.',
  },
  unknown: {
    es: 'No sabemos si este navegador puede borrarla. Si le urge, envíela por WhatsApp.',
    en: 'We do not know whether this browser may delete it. If it is urgent, send it by WhatsApp.',
  },
} as const satisfies Record<string, Bilingual>;
