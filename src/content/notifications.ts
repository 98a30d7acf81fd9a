import type { Bilingual } from './bilingual.ts';

/** The only sentences of the worker. Only the folio names the quote, because others may see the screen. */
export const notifications = {
  delivered: (folio: string): Bilingual => ({ es: `Cotización ${folio} entregada`, en: `Quote ${folio} delivered` }),
  answered: (folio: string): Bilingual => ({
    es: `Respuesta lista: cotización ${folio}`,
    en: `Answer ready: quote ${folio}`,
  }),
};
