import type { AlertKind, CollectedKind } from '../lead/vocabulary.ts';
import type { Bilingual } from './bilingual.ts';

/** Words of alerts, to device or mailbox. Only the folio names the quote, because others may see the screen. */
export const alertWords = {
  nueva: (folio: string): Bilingual => ({ es: `Solicitud nueva ${folio}`, en: `New request ${folio}` }),
  recuperada: (folio: string): Bilingual => ({
    es: `Volvieron solicitudes de los teléfonos: ${folio}`,
    en: `Requests came back from phones: ${folio}`,
  }),
  quedan60: (folio: string): Bilingual => ({
    es: `${folio} espera respuesta: queda una hora`,
    en: `${folio} waits for an answer: one hour left`,
  }),
  quedan30: (folio: string): Bilingual => ({
    es: `${folio} espera respuesta: quedan 30 minutos`,
    en: `${folio} waits for an answer: 30 minutes left`,
  }),
  quedan10: (folio: string): Bilingual => ({
    es: `${folio} espera respuesta: quedan 10 minutos`,
    en: `${folio} waits for an answer: 10 minutes left`,
  }),
  tarde: (folio: string): Bilingual => ({
    es: `${folio} sin respuesta: el plazo ya pasó`,
    en: `${folio} not answered: the promised time is over`,
  }),
  pregunta: (folio: string): Bilingual => ({ es: `Pregunta sobre ${folio}`, en: `Question about ${folio}` }),
  contesta: (folio: string): Bilingual => ({ es: `Cliente respondió: ${folio}`, en: `Customer replied: ${folio}` }),
  aceptada: (folio: string): Bilingual => ({ es: `${folio} aceptada`, en: `${folio} accepted` }),
  respuesta: (folio: string): Bilingual => ({
    es: `Respuesta lista: cotización ${folio}`,
    en: `Answer ready: quote ${folio}`,
  }),
  resultado: (folio: string): Bilingual => ({
    es: `Novedad en su cotización ${folio}`,
    en: `News of your quote ${folio}`,
  }),
  recordar: (folio: string): Bilingual => ({ es: `Recordar ${folio}`, en: `Reminder: ${folio}` }),
  rebotado: (folio: string): Bilingual => ({
    es: `El correo al cliente de ${folio} no llegó`,
    en: `Mail to the customer of ${folio} did not arrive`,
  }),
  nadie: (): Bilingual => ({
    es: 'Ningún equipo recibe avisos: nadie se entera de una solicitud',
    en: 'No device receives alerts: nobody hears of a request',
  }),
  prueba: (): Bilingual => ({ es: 'Prueba: los avisos llegan a este equipo', en: 'Test: alerts reach this device' }),
} as const satisfies Record<AlertKind, (folio: string) => Bilingual>;

const untaken = (leads: number, es: string, en: string): Bilingual => ({
  es: `${leads} cotizaciones sin tomar: ${es}`,
  en: `${leads} quotes that nobody has taken: ${en}`,
});

export const collectedWords = {
  nueva: (leads: number): Bilingual => ({ es: `${leads} cotizaciones nuevas`, en: `${leads} new quotes` }),
  quedan60: (leads: number) => untaken(leads, 'la primera vence en una hora', 'the first is due in one hour'),
  quedan30: (leads: number) => untaken(leads, 'la primera vence en 30 minutos', 'the first is due in 30 minutes'),
  quedan10: (leads: number) => untaken(leads, 'la primera vence en 10 minutos', 'the first is due in 10 minutes'),
  tarde: (leads: number) => untaken(leads, 'el plazo de la primera ya pasó', 'the promised time of the first is over'),
} as const satisfies Record<CollectedKind, (leads: number) => Bilingual>;
