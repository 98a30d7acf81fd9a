import type { Bilingual } from './bilingual.ts';

/** Texts about requests to the server that failed, or that came after somebody else's change. */
export const deskFailures = {
  unreachable: { es: 'El servidor no respondió.', en: 'The server did not answer.' },
  notDone: {
    es: 'El servidor no respondió: no sabemos si el cambio se guardó. Intente de nuevo.',
    en: 'The server did not answer: we do not know whether the change was saved. Try again.',
  },
  failed: { es: 'El servidor rechazó el cambio.', en: 'The server refused the change.' },
  olderDatabase: {
    es: 'La base de datos es de una versión anterior y no admite esta acción.',
    en: 'The database is of an earlier release, without this action.',
  },
  unshown: {
    es: 'Esta página no puede mostrar todo el contenido.',
    en: 'This page cannot show all of the content.',
  },
  conflict: {
    owned: (name: string, when: string): Bilingual => ({
      es: `La atiende ${name} desde las ${when}. No se cambió nada; su texto sigue aquí.`,
      en: `${name} has it since ${when}. Nothing changed; your text is still here.`,
    }),
    free: (when: string): Bilingual => ({
      es: `Cambió a las ${when} y ahora está sin asignar. Tómela primero; su texto sigue aquí.`,
      en: `It changed at ${when} and is unassigned now. Take it first; your text is still here.`,
    }),
    changed: (name: string, when: string): Bilingual => ({
      es: `Cambió mientras tanto (${name}, ${when}). Revísela e intente otra vez; su texto sigue aquí.`,
      en: `It changed meanwhile (${name}, ${when}). Check it and try again; your text is still here.`,
    }),
    accepted: {
      es: 'El cliente aceptó la oferta: indique primero si quedó reservada o sin espacio. Su texto sigue aquí.',
      en: 'The customer accepted the offer: first say whether it is booked or has no space. Your text is still here.',
    },
    booked: {
      es: 'El espacio ya está reservado: esta solicitud no admite otra oferta. Su texto sigue aquí.',
      en: 'Space is already booked: this request takes no further offer. Your text is still here.',
    },
    moved: {
      es: 'Esa oferta cambió mientras tanto. Revísela e intente otra vez.',
      en: 'That offer has changed meanwhile. Check it and try again.',
    },
    sentBefore: {
      es: 'La primera versión ya se había enviado. Su cambio sigue aquí: si lo envía, llegará por separado.',
      en: 'The first version was already sent. Your change is still here: if you send it, it arrives separately.',
    },
    gone: { es: 'Esta solicitud ya no está disponible.', en: 'This request is no longer available.' },
  },
} as const;
