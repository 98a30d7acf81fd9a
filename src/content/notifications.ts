import type { Bilingual } from './bilingual.ts';

/** The only sentences of the worker. Only the folio names the quote, because others may see the screen. */
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
