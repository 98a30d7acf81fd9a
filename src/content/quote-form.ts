import type { Bilingual } from './bilingual.ts';

/** Texts of the form, except those of its fields (fields.ts). */
export const quoteForm = {
  legend: { es: 'Datos de la solicitud', en: 'Request details' },
  choose: { es: 'Elija uno', en: 'Choose one' },
  /* The characters U+2011, U+2060 and U+00A0 keep codes, ranges and units from being broken into two lines. */
  notes: {
    perecederos: {
      es: 'Cadena de frío en 2–\u20608, 12–\u206015 o 20–\u206025\u00a0°C: indique su rango en los detalles del embarque.',
      en: 'Cold chain at 2–\u20608, 12–\u206015 or 20–\u206025\u00a0°C: tell us your range in the shipment details.',
    },
    especial: {
      es: 'No llevamos mercancías peligrosas. Las baterías de litio, el hielo seco y los productos farmacéuticos se declaran en la guía aérea (PHARMA\u2011PIL, EXPRESS\u2011XPS).',
      en: 'We do not carry dangerous goods. Lithium batteries, dry ice and pharma are declared on the air waybill (PHARMA\u2011PIL, EXPRESS\u2011XPS).',
    },
  },
  weightHelper: { es: 'Calcular el peso cobrable', en: 'Work out the chargeable weight' },
  privacy: {
    es: 'Usamos estos datos sólo para cotizar y responderle.',
    en: 'We use this data only to quote and answer you.',
  },
  privacyLink: { es: 'Aviso de privacidad', en: 'Privacy notice' },
  promotions: { es: 'Quiero recibir también promociones', en: 'I would also like promotions' },
  trap: { es: 'Deje este campo vacío', en: 'Leave this field empty' },
  send: { es: 'Solicitar cotización', en: 'Request a quote' },
  /** Shown on the button from the press until the form's script has loaded. */
  saving: { es: 'Guardando…', en: 'Saving…' },
  /** Wording fixed by the specification (docs/product.md). */
  sending: { es: 'Enviando cotizacion...', en: 'Sending your quote…' },
  confirmFirst: {
    es: 'Antes de enviar, confirme los datos marcados.',
    en: 'Before you send, confirm the marked values.',
  },
  draft: { found: { es: 'Borrador recuperado', en: 'Draft recovered' }, discard: { es: 'Descartar', en: 'Discard' } },
  correcting: { es: 'Corrigiendo la solicitud', en: 'Correcting request' },
  /** Shown while the visitor corrects a delivered quote: the correction becomes a new quote. */
  correctsDelivered: {
    es: 'La corrección tendrá un folio nuevo, y su plazo empieza al enviarla.',
    en: 'The correction has its own reference, and its answer time starts when you send it.',
  },
  sendCorrection: { es: 'Enviar corrección', en: 'Send the correction' },
  saved: {
    es: 'Guardamos su solicitud en este teléfono. Se enviará automáticamente en cuanto haya señal.',
    en: 'We saved your request on this phone. It sends automatically as soon as there is signal.',
  },
  /** The text first says that the quote is stored and then names the cause, so that nobody sends the quote again. */
  savedAccessDenied: {
    es: 'Guardamos su solicitud en este teléfono. Se enviará automáticamente. Error temporal del sistema.',
    en: 'We saved your request on this phone. It sends automatically. Temporary system error.',
  },
  /** Shown if a correction came too late, because the quote was already delivered. */
  superseded: {
    es: 'Esta solicitud ya se había entregado con los datos anteriores. Envíe la corrección otra vez: la reemplaza.',
    en: 'This request was already delivered with its earlier data. Send the correction again: it replaces it.',
  },
  /** Toast about quotes that were delivered in the background. */
  deliveredNotice: (folios: readonly string[]): Bilingual =>
    folios.length === 1
      ? { es: `Solicitud ${folios[0]} entregada.`, en: `Request ${folios[0]} delivered.` }
      : {
          es: `${folios.length} solicitudes entregadas: ${folios.join(', ')}.`,
          // The English text leaves out the folios: with them the toast would be so high that it covers the receipt.
          en: `${folios.length} requests delivered.`,
        },
} as const;
