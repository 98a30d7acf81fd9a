import type { AlertKind, CollectedKind } from '../lead/vocabulary.ts';
import type { Bilingual } from './bilingual.ts';

/** Text of the desk's only alert. It is outside `alertWords`, so that the desk need not load the other texts. */
export const newLead = (folio: string): Bilingual => ({ es: `Solicitud nueva ${folio}`, en: `New request ${folio}` });

/**
 * Texts of alerts to devices and mailboxes. They name the quote only by its folio, because others may see the screen.
 */
export const alertWords = {
  nueva: newLead,
  recuperada: (folio: string): Bilingual => ({
    es: `Solicitudes recuperadas de los teléfonos: ${folio}`,
    en: `Requests recovered from phones: ${folio}`,
  }),
  quedan60: (folio: string): Bilingual => ({
    es: `${folio} espera respuesta: queda una hora`,
    en: `${folio} needs an answer: one hour left`,
  }),
  quedan30: (folio: string): Bilingual => ({
    es: `${folio} espera respuesta: quedan 30 minutos`,
    en: `${folio} needs an answer: 30 minutes left`,
  }),
  quedan10: (folio: string): Bilingual => ({
    es: `${folio} espera respuesta: quedan 10 minutos`,
    en: `${folio} needs an answer: 10 minutes left`,
  }),
  tarde: (folio: string): Bilingual => ({
    es: `${folio} sin respuesta: el plazo ya pasó`,
    en: `${folio} not answered: the answer time is over`,
  }),
  pregunta: (folio: string): Bilingual => ({ es: `Pregunta sobre ${folio}`, en: `Question about ${folio}` }),
  contesta: (folio: string): Bilingual => ({ es: `Cliente respondió: ${folio}`, en: `Customer replied: ${folio}` }),
  aceptada: (folio: string): Bilingual => ({ es: `Oferta aceptada: ${folio}`, en: `Offer accepted: ${folio}` }),
  respuesta: (folio: string): Bilingual => ({
    es: `Respuesta lista: ${folio}`,
    en: `Answer ready: ${folio}`,
  }),
  resultado: (folio: string): Bilingual => ({
    es: `Novedad en su solicitud ${folio}`,
    en: `News about your request ${folio}`,
  }),
  paso: (folio: string): Bilingual => ({ es: `Su embarque avanza: ${folio}`, en: `Your shipment is moving: ${folio}` }),
  papeles: (folio: string): Bilingual => ({
    es: `Revise los documentos de su embarque: ${folio}`,
    en: `Check the papers of your shipment: ${folio}`,
  }),
  recordar: (folio: string): Bilingual => ({ es: `Recordatorio: ${folio}`, en: `Reminder: ${folio}` }),
  rebotado: (folio: string): Bilingual => ({
    es: `Una respuesta al cliente de ${folio} no llegó`,
    en: `An answer to the customer of ${folio} did not arrive`,
  }),
  sinwhatsapp: (): Bilingual => ({
    es: 'WhatsApp no acepta nuestros mensajes: aeropuente doctor dice por qué',
    en: 'WhatsApp does not accept our messages: aeropuente doctor says why',
  }),
  singuardar: (): Bilingual => ({
    es: 'Un mensaje de WhatsApp no se pudo guardar: aeropuente doctor dice qué hacer',
    en: 'A message by WhatsApp could not be stored: aeropuente doctor says what to do',
  }),
  sinwebhook: (): Bilingual => ({
    es: 'Un webhook no llegó en un día: en la mesa, ☰, "Webhooks"',
    en: 'A webhook did not arrive within a day: in the desk, ☰, "Webhooks"',
  }),
  nadie: (): Bilingual => ({
    es: 'Ningún dispositivo recibe avisos de solicitudes nuevas',
    en: 'No device receives alerts of new requests',
  }),
  sinasignar: (): Bilingual => ({ es: 'Mensajes por asignar', en: 'Messages to be assigned' }),
  prueba: (): Bilingual => ({
    es: 'Prueba: los avisos llegan a este dispositivo',
    en: 'Test: alerts reach this device',
  }),
} as const satisfies Record<AlertKind, (folio: string) => Bilingual>;

const untaken = (leads: number, es: string, en: string): Bilingual => ({
  es: `${leads} solicitudes sin asignar: ${es}`,
  en: `${leads} unassigned requests: ${en}`,
});

export const collectedWords = {
  nueva: (leads: number): Bilingual => ({ es: `${leads} solicitudes nuevas`, en: `${leads} new requests` }),
  quedan60: (leads: number) => untaken(leads, 'la primera vence en una hora', 'the first is due in one hour'),
  quedan30: (leads: number) => untaken(leads, 'la primera vence en 30 minutos', 'the first is due in 30 minutes'),
  quedan10: (leads: number) => untaken(leads, 'la primera vence en 10 minutos', 'the first is due in 10 minutes'),
  tarde: (leads: number) => untaken(leads, 'el plazo de la primera ya pasó', 'the answer time of the first is over'),
} as const satisfies Record<CollectedKind, (leads: number) => Bilingual>;
