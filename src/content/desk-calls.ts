import type { Bilingual } from './bilingual.ts';

/** A lead that came by another way than the form. */
export const calls = {
  open: { es: 'Alta', en: 'New' },
  title: { es: 'Dar de alta', en: 'A new request' },
  what: {
    es: 'Lo que llegó por teléfono o por mensaje. Bastan el nombre y el teléfono; el plazo empieza al guardar.',
    en: 'What came by phone or message. A name and a phone are enough; the clock starts when you save.',
  },
  message: { es: 'Mensaje recibido, si lo hay', en: 'The message, if there is one' },
  read: { es: 'Leer el mensaje', en: 'Read the message' },
  anew: { es: 'Vaciar', en: 'Clear' },
  proposed: {
    es: 'Se propone lo que se pudo leer: revíselo.',
    en: 'What could be read is proposed: look it over.',
  },
  nothing: { es: 'No se pudo leer nada de él.', en: 'Nothing of it could be read.' },
  origin: { es: 'Llegó por', en: 'It came by' },
  origins: {
    formulario: { es: 'la página', en: 'the page' },
    llamada: { es: 'llamada', en: 'a call' },
    whatsapp: { es: 'WhatsApp', en: 'WhatsApp' },
    feria: { es: 'feria', en: 'a fair' },
    otro: { es: 'otra vía', en: 'another way' },
  },
  send: { es: 'Guardar y tomar', en: 'Save and take' },
  storedBefore: (folio: string): Bilingual => ({
    es: `${folio} ya había quedado registrada como la escribió primero. Lo que cambió está en la nota de abajo: guárdela.`,
    en: `${folio} was on file already, as you wrote it first. What you changed is in the note below: save it.`,
  }),
} as const;
