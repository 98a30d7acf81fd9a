import type { Bilingual } from './bilingual.ts';

/** Words about a quote on another phone. */
export const links = {
  show: { es: 'Ver en otro teléfono', en: 'See on another phone' },
  isKey: {
    es: 'Es una llave: quien tenga este enlace ve la solicitud y sus respuestas, y puede aceptar en su nombre. Désela sólo a quien confíe.',
    en: 'It is a key: whoever has this link sees the request and its answers, and can accept in your name. Give it only to those you trust.',
  },
  picture: { es: 'Código QR del enlace', en: 'QR code of the link' },
  copied: { es: 'Enlace copiado.', en: 'Link copied.' },
  none: {
    es: 'Nuestro sistema no abre esta solicitud en otro teléfono.',
    en: 'Our system does not open this request on another phone.',
  },
  close: { es: 'Cerrar el enlace', en: 'Close the link' },
  confirm: {
    es: '¿Cerrar el enlace? Ya no abrirá en ningún teléfono; donde se abrió antes, la solicitud se queda.',
    en: 'Close the link? It will open on no phone any more; where it was opened before, the request stays.',
  },
  yes: { es: 'Sí, cerrar', en: 'Yes, close' },
  no: { es: 'No, dejarlo abierto', en: 'No, leave it open' },
  closings: {
    waiting: {
      es: 'El enlace se cierra en cuanto haya señal; la orden está guardada en este teléfono.',
      en: 'The link closes as soon as there is signal; the order is kept on this phone.',
    },
    delivered: {
      es: 'El enlace anterior está cerrado. Éste es otro.',
      en: 'The earlier link is closed. This is another one.',
    },
    refused: {
      es: 'El enlace no se pudo cerrar. Intente otra vez.',
      en: 'The link could not be closed. Try again.',
    },
  },
  notClosed: {
    es: 'Este teléfono está lleno: el enlace sigue abierto.',
    en: 'This phone is full: the link is still open.',
  },

  elsewhere: { es: '¿Pidió desde otro teléfono?', en: 'Did you ask from another phone?' },
  paste: { es: 'Pegue aquí el enlace', en: 'Paste the link here' },
  open: { es: 'Abrir', en: 'Open' },
  retry: { es: 'Intentar otra vez', en: 'Try again' },
  opening: { es: 'Abriendo…', en: 'Opening…' },
  whose: (count: number, people: readonly string[]): Bilingual =>
    count === 1
      ? {
          es: `Esta solicitud la hizo ${people[0]}. ¿Verla en este teléfono?`,
          en: `This request was made by ${people[0]}. See it on this phone?`,
        }
      : {
          es: `Estas ${count} solicitudes las ${people.length === 1 ? 'hizo' : 'hicieron'} ${people.join(', ')}. ¿Verlas en este teléfono?`,
          en: `These ${count} requests were made by ${people.join(', ')}. See them on this phone?`,
        },
  showHere: { es: 'Sí, ver aquí', en: 'Yes, see it here' },
  decline: { es: 'No, gracias', en: 'No, thanks' },
  declined: { es: 'No se guardó nada en este teléfono.', en: 'Nothing was kept on this phone.' },
  opened: (folios: readonly string[], closed: number): Bilingual => ({
    es: [
      folios.length === 1 ? `Aquí está su solicitud ${folios[0]}.` : `Aquí están sus ${folios.length} solicitudes.`,
      closed === 1 && 'Otra ya no se abre: su enlace fue cerrado.',
      closed > 1 && `${closed} ya no se abren: su enlace fue cerrado.`,
    ]
      .filter(Boolean)
      .join(' '),
    en: [
      folios.length === 1 ? `Here is your request ${folios[0]}.` : `Here are your ${folios.length} requests.`,
      closed === 1 && 'Another one does not open any more: its link was closed.',
      closed > 1 && `${closed} do not open any more: their link was closed.`,
    ]
      .filter(Boolean)
      .join(' '),
  }),
  wrong: {
    es: 'Este enlace está incompleto o no es de una solicitud. Cópielo entero, o pídalo de nuevo.',
    en: 'This link is incomplete, or not of a request. Copy all of it, or ask for it again.',
  },
  closed: {
    es: 'Este enlace ya no abre: fue cerrado, o la solicitud se borró.',
    en: 'This link does not open any more: it was closed, or the request was erased.',
  },
  unreached: {
    es: 'El servidor no respondió: se abre solo en cuanto haya señal.',
    en: 'The server did not answer: it opens by itself as soon as there is signal.',
  },
  shared: {
    es: 'Este teléfono está marcado como compartido: aquí no se guarda ninguna solicitud.',
    en: 'This phone is marked as shared: no request is kept here.',
  },
  full: {
    es: 'Este teléfono está lleno: no pudo guardar la solicitud.',
    en: 'This phone is full: it could not keep the request.',
  },

  along: {
    why: {
      es: 'La app instalada no ve lo que pidió aquí: copie sus solicitudes, instálela y péguelas en «Mis cotizaciones».',
      en: 'The installed app does not see what you asked here: copy your requests, install it, and paste them in “Mis cotizaciones”.',
    },
    copy: (count: number): Bilingual => ({
      es: count === 1 ? 'Copiar mi solicitud' : `Copiar mis ${count} solicitudes`,
      en: count === 1 ? 'Copy my request' : `Copy my ${count} requests`,
    }),
    copied: { es: 'Copiadas. Péguelas en la app instalada.', en: 'Copied. Paste them in the installed app.' },
  },
} as const;
