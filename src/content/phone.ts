import type { Bilingual } from './bilingual.ts';

/** Words about installation, saved data and storage. */
export const install = {
  title: { es: 'La app en su teléfono', en: 'The app on your phone' },
  why: {
    es: 'Abre sin señal y guarda mejor sus solicitudes.',
    en: 'It opens without signal and keeps your requests more safely.',
  },
  accept: { es: 'Instalar', en: 'Install' },
  refuse: { es: 'Ahora no', en: 'Not now' },
  /** Hint for browsers without an install button (iPhone, iPad). */
  byHand: {
    es: 'Toque Compartir y después «Agregar a inicio».',
    en: 'Tap Share, then “Add to Home Screen”.',
  },
  /** The installed app has its own storage. */
  waitFirst: {
    es: 'Antes de instalarla, espere a que se entregue lo que está en espera: la app instalada no lo ve.',
    en: 'Before you install it, wait until what is waiting has been delivered: the installed app does not see it.',
  },
} as const satisfies Record<string, Bilingual>;

export const dataSaver = {
  label: { es: 'Ahorro de datos', en: 'Data saver' },
  what: {
    es: 'Con el ahorro activo, el mapa y las imágenes se descargan sólo si los toca. Al escribir su solicitud se guarda lo justo para enviarla sin señal (unos 35 kB).',
    en: 'While saving, map and pictures come only at a touch. When you write a request, just enough is kept to send it without signal (about 35 kB).',
  },
  spent: (kilobytes: number, otherwise: number): Bilingual => ({
    es: `Esta visita usó ${kilobytes} kB; sin ahorro serían ${otherwise} kB o más.`,
    en: `This visit used ${kilobytes} kB; without it, ${otherwise} kB or more.`,
  }),
} as const;

/** Safety of a quote that waits on this phone. */
export const storage = {
  full: {
    es: 'Este teléfono casi no tiene espacio: libere un poco, o envíela por WhatsApp.',
    en: 'This phone is nearly full: free some space, or send it by WhatsApp.',
  },
  protected: {
    es: 'Protegida: este teléfono no la borra solo.',
    en: 'Protected: this phone will not erase it by itself.',
  },
  appleTab: {
    es: 'Safari borra lo guardado si no abre esta página en 7 días. Ábrala antes con señal, o envíela por WhatsApp.',
    en: 'Safari erases what is kept here if you do not open this page for 7 days. Open it sooner, with signal, or send it by WhatsApp.',
  },
  appleApp: {
    es: 'Guardada en la app: iOS sólo la borraría si se queda sin espacio.',
    en: 'Kept in the app: iOS would erase it only if it runs out of space.',
  },
  evictableTab: {
    es: 'Su navegador podría borrarla si le falta espacio: instale la app, o envíela por WhatsApp.',
    en: 'Your browser could erase it when short of space: install the app, or send it by WhatsApp.',
  },
  evictableApp: {
    es: 'El teléfono podría borrarla si le falta espacio. Si urge, envíela por WhatsApp.',
    en: 'The phone could erase it when short of space. If it is urgent, send it by WhatsApp.',
  },
  unknown: {
    es: 'Este navegador no dice si puede borrarla. Si urge, envíela por WhatsApp.',
    en: 'This browser does not say whether it may erase it. If it is urgent, send it by WhatsApp.',
  },
} as const satisfies Record<string, Bilingual>;
