import type { Bilingual } from './bilingual.ts';

/** Sentences about requests to the server that failed or were overtaken by another change. */
export const deskFailures = {
  unreachable: { es: 'No hubo respuesta del servidor.', en: 'The server did not answer.' },
  notDone: {
    es: 'No hubo respuesta del servidor: no sabemos si se hizo. Intente de nuevo.',
    en: 'The server did not answer: we do not know whether it was done. Try again.',
  },
  failed: { es: 'El servidor no lo aceptó.', en: 'The server did not accept it.' },
  olderDatabase: {
    es: 'La base de datos es de una versión anterior y aún no conoce esto.',
    en: 'The database is of an earlier release and does not know this yet.',
  },
  unshown: {
    es: 'Aquí hay algo que esta página no puede mostrar.',
    en: 'There is something here that this page cannot show.',
  },
  conflict: {
    owned: (name: string, when: string): Bilingual => ({
      es: `La tiene ${name} desde las ${when}. Nada cambió; su texto sigue aquí.`,
      en: `${name} has had it since ${when}. Nothing was changed; your text is still here.`,
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
    moved: {
      es: 'Esa oferta cambió mientras tanto. Revísela e intente otra vez.',
      en: 'That offer has changed meanwhile. Check it and try again.',
    },
    sentBefore: {
      es: 'La primera versión ya se había enviado. Su cambio sigue aquí: envíelo otra vez y va por separado.',
      en: 'The first version had been sent already. Your change is still here: send it again and it goes on its own.',
    },
    gone: { es: 'Esta solicitud ya no está disponible.', en: 'This request is no longer available.' },
  },
} as const;
