import type { Bilingual } from './bilingual.ts';

/** Texts for a lead that a colleague records because it came by phone or message. */
export const deskNew = {
  open: { es: '+ Nueva', en: '+ New' },
  title: { es: 'Nueva solicitud', en: 'New request' },
  what: {
    es: 'Pegue el mensaje o escriba lo que le dijeron. Bastan nombre y teléfono; el plazo empieza al registrarla.',
    en: 'Paste the message or write what you were told. Name and phone are enough; the clock starts when you register it.',
  },
  message: { es: 'Mensaje recibido, si lo hay', en: 'The message, if there is one' },
  clear: { es: 'Limpiar', en: 'Clear' },
  importFile: { es: 'Importar un archivo', en: 'Import a file' },
  proposed: {
    es: 'Llenamos lo que pudimos leer; revíselo.',
    en: 'We filled in what could be read; check it.',
  },
  hasCode: (folio: string): Bilingual => ({
    es: `El mensaje trae la solicitud ${folio}: se registra completa, con su código.`,
    en: `The message carries request ${folio}: it is registered whole, with its code.`,
  }),
  origin: { es: 'Medio de contacto', en: 'Received by' },
  origins: {
    formulario: { es: 'la página', en: 'the page' },
    llamada: { es: 'llamada', en: 'a call' },
    correo: { es: 'correo', en: 'e-mail' },
    whatsapp: { es: 'WhatsApp', en: 'WhatsApp' },
    feria: { es: 'feria', en: 'a fair' },
    otro: { es: 'otro medio', en: 'another way' },
    importada: { es: 'un archivo', en: 'a file' },
  },
  unknown: { es: 'Sin especificar', en: 'Not specified' },
  send: { es: 'Registrar y tomar', en: 'Register and take' },
  register: { es: 'Registrar', en: 'Register' },
  unread: {
    es: 'Falta parte del mensaje o cambió alguna palabra: pida que lo envíen de nuevo, completo.',
    en: 'Part of the message is missing, or a word was changed: ask for it again, whole.',
  },
  stored: (folio: string): Bilingual => ({ es: `${folio} quedó registrada.`, en: `${folio} is registered.` }),
  known: (folio: string): Bilingual => ({
    es: `${folio} ya estaba registrada.`,
    en: `${folio} was already registered.`,
  }),
  repeated: {
    es: 'Hoy ya llegó una idéntica con otro folio: búsquela por el nombre.',
    en: 'An identical request came today with another reference: search for the name.',
  },
  storedBefore: (folio: string): Bilingual => ({
    es: `${folio} ya se había registrado como la escribió primero. Su cambio quedó en la nota: guárdela.`,
    en: `${folio} was already registered as you first wrote it. Your change is in the note: save it.`,
  }),
} as const;
