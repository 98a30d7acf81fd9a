import type { Bilingual } from './bilingual.ts';

/** Texts of the worker's notifications. They name the quote only by its folio, because others may see the screen. */
export const notifications = {
  delivered: (folio: string): Bilingual => ({ es: `Solicitud ${folio} entregada`, en: `Request ${folio} delivered` }),
  answered: (folio: string): Bilingual => ({
    es: `Respuesta lista: ${folio}`,
    en: `Answer ready: ${folio}`,
  }),
  moved: (folio: string): Bilingual => ({
    es: `Su embarque avanza: ${folio}`,
    en: `Your shipment is moving: ${folio}`,
  }),
};
