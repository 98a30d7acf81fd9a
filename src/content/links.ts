import type { Bilingual } from './bilingual.ts';

/** Texts about a share link, which opens a quote on another phone. */
export const links = {
  show: { es: 'Ver en otro teléfono', en: 'See on another phone' },
  isKey: {
    es: 'Quien tenga este enlace ve su solicitud y puede aceptar en su nombre. Compártalo sólo con gente de confianza.',
    en: 'Whoever has this link sees your request and can accept in your name. Share it only with people you trust.',
  },
  picture: { es: 'Código QR del enlace', en: 'QR code of the link' },
  copied: { es: 'Enlace copiado.', en: 'Link copied.' },
  none: {
    es: 'Nuestro sistema no puede abrir esta solicitud en otro teléfono.',
    en: 'Our system cannot open this request on another phone.',
  },
  close: { es: 'Desactivar el enlace', en: 'Disable the link' },
  confirm: {
    es: '¿Desactivar el enlace? Ya no abrirá en ningún teléfono; la solicitud se conserva donde ya se abrió.',
    en: 'Disable the link? It will no longer open on any phone; the request stays where it was already opened.',
  },
  yes: { es: 'Sí, desactivar', en: 'Yes, disable' },
  no: { es: 'No, conservarlo', en: 'No, keep it' },
  closings: {
    waiting: {
      es: 'El enlace se desactivará en cuanto haya señal; ya quedó pedido desde este teléfono.',
      en: 'The link will be disabled as soon as there is signal; this phone has already asked for it.',
    },
    delivered: {
      es: 'Desactivamos el enlace anterior; éste es nuevo.',
      en: 'We disabled the earlier link; this one is new.',
    },
    refused: {
      es: 'El enlace no se pudo desactivar. Intente otra vez.',
      en: 'The link could not be disabled. Try again.',
    },
  },
  notClosed: {
    es: 'Este teléfono está lleno: el enlace sigue activo.',
    en: 'This phone is full: the link still works.',
  },

  elsewhere: { es: '¿Cotizó desde otro teléfono?', en: 'Did you ask from another phone?' },
  paste: { es: 'Pegue aquí el enlace', en: 'Paste the link here' },
  open: { es: 'Abrir', en: 'Open' },
  retry: { es: 'Intentar otra vez', en: 'Try again' },
  opening: { es: 'Abriendo…', en: 'Opening…' },
  whose: (count: number, people: readonly string[]): Bilingual =>
    count === 1
      ? {
          es: `Esta solicitud es de ${people[0]}. ¿Quiere verla en este teléfono?`,
          en: `This request is from ${people[0]}. Do you want to see it on this phone?`,
        }
      : {
          es: `Estas ${count} solicitudes son de ${people.join(', ')}. ¿Quiere verlas en este teléfono?`,
          en: `These ${count} requests are from ${people.join(', ')}. Do you want to see them on this phone?`,
        },
  showHere: { es: 'Sí, ver aquí', en: 'Yes, see it here' },
  decline: { es: 'No, gracias', en: 'No, thanks' },
  declined: { es: 'No se guardó nada en este teléfono.', en: 'Nothing was saved on this phone.' },
  opened: (folios: readonly string[], closed: number): Bilingual => ({
    es: [
      folios.length === 1 ? `Aquí está su solicitud ${folios[0]}.` : `Aquí están sus ${folios.length} solicitudes.`,
      closed === 1 && 'Otra ya no abre: su enlace está desactivado.',
      closed > 1 && `${closed} ya no abren: su enlace está desactivado.`,
    ]
      .filter(Boolean)
      .join(' '),
    en: [
      folios.length === 1 ? `Here is your request ${folios[0]}.` : `Here are your ${folios.length} requests.`,
      closed === 1 && 'Another one no longer opens: its link is disabled.',
      closed > 1 && `${closed} no longer open: their link is disabled.`,
    ]
      .filter(Boolean)
      .join(' '),
  }),
  wrong: {
    es: 'Este enlace está incompleto o no es de una solicitud. Cópielo completo o pídalo de nuevo.',
    en: 'This link is incomplete or not of a request. Copy all of it or ask for it again.',
  },
  closed: {
    es: 'Este enlace ya no abre: se desactivó o la solicitud se borró.',
    en: 'This link no longer opens: it was disabled or the request was deleted.',
  },
  unreached: {
    es: 'El servidor no respondió: se abrirá automáticamente en cuanto haya señal.',
    en: 'The server did not answer: it opens automatically as soon as there is signal.',
  },
  shared: {
    es: 'Este teléfono está marcado como compartido: aquí no se guarda ninguna solicitud.',
    en: 'This phone is marked as shared: no request is saved here.',
  },
  full: {
    es: 'Este teléfono está lleno: no pudo guardar la solicitud.',
    en: 'This phone is full: it could not save the request.',
  },

  along: {
    why: {
      es: 'La app instalada no trae lo que pidió aquí: copie sus solicitudes, instálela y péguelas en «Mis cotizaciones».',
      en: 'The installed app does not have what you asked for here: copy your requests, install it and paste them into “Mis cotizaciones”.',
    },
    copy: (count: number): Bilingual => ({
      es: count === 1 ? 'Copiar mi solicitud' : `Copiar mis ${count} solicitudes`,
      en: count === 1 ? 'Copy my request' : `Copy my ${count} requests`,
    }),
    copied: { es: 'Copiadas. Péguelas en la app instalada.', en: 'Copied. Paste them into the installed app.' },
  },
} as const;
