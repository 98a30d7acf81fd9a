import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

/** Texts of the page that shows an offer for printing or saving. */
export const offerSheet = {
  print: { es: 'Imprimir o guardar como PDF', en: 'Print or save as PDF' },
  title: (folio: string): Bilingual => ({ es: `Oferta ${folio}`, en: `Offer ${folio}` }),
  offer: { es: 'Oferta', en: 'Offer' },
  customer: { es: 'Cliente', en: 'Customer' },
  weight: { es: 'Peso', en: 'Weight' },
  monthly: (kilos: string): Bilingual => ({ es: `${kilos} kg al mes`, en: `${kilos} kg a month` }),
  shipment: (kilos: string): Bilingual => ({ es: `${kilos} kg, un embarque`, en: `${kilos} kg, one shipment` }),
  validUntil: { es: 'Válida hasta', en: 'Valid until' },
  tijuana: sentence<[day: Bilingual]>(
    (day) => `el final del ${day} (hora de Tijuana)`,
    (day) => `the end of ${day} (Tijuana time)`,
  ),
  table: { es: 'Desglose', en: 'Breakdown' },
  columns: {
    charge: { es: 'Cargo', en: 'Charge' },
    unit: { es: 'Importe', en: 'Amount' },
    quantity: { es: 'Cantidad', en: 'Quantity' },
    total: { es: 'Suma', en: 'Sum' },
  },
  whole: { es: 'Tarifa de la oferta', en: 'Rate of the offer' },
  perKilo: { es: 'Precio por kilo', en: 'Price per kilo' },
  total: {
    kilo: (kilos: string): Bilingual => ({ es: `Total de un mes, ${kilos} kg`, en: `Total of a month, ${kilos} kg` }),
    total: { es: 'Total de la oferta', en: 'Total of the offer' },
  },
  words: { es: 'Texto de la oferta', en: 'Words of the offer' },
  acceptance: { es: 'Aceptación', en: 'Acceptance' },
  open: { es: 'Sin aceptar todavía.', en: 'Not accepted yet.' },
  accepted: sentence<[at: Bilingual]>(
    (at) => `Aceptada ${at}`,
    (at) => `Accepted ${at}`,
  ),
  received: sentence<[at: Bilingual]>(
    (at) => `Recibida ${at} (hora de Tijuana)`,
    (at) => `Received ${at} (Tijuana time)`,
  ),
  notReceived: {
    es: 'Guardada en este teléfono; nuestro sistema todavía no la recibe.',
    en: 'Saved on this phone; our system has not received it yet.',
  },
  states: {
    reservada: { es: 'Espacio reservado', en: 'Space booked' },
    sinespacio: { es: 'Sin espacio en ese vuelo', en: 'No space on that flight' },
    retirada: { es: 'Oferta retirada', en: 'Offer withdrawn' },
    reemplazada: { es: 'Reemplazada por una oferta más reciente', en: 'Replaced by a newer offer' },
  },
  key: {
    es: 'Este código abre la solicitud. Quien lo tenga puede verla y aceptar en su nombre.',
    en: 'This code opens the request. Whoever has it can see it and accept in your name.',
  },
  terms: {
    title: { es: 'Condiciones (texto de muestra)', en: 'Terms (sample text)' },
    list: (cubic: string): readonly Bilingual[] => [
      {
        es: `Se cobra el mayor entre el peso bruto y el volumen (${cubic} cm³ = 1 kg); vale lo que mida la aerolínea al recibir la carga.`,
        en: `The greater of gross weight and volume is charged (${cubic} cm³ = 1 kg), as the airline measures it on receipt.`,
      },
      {
        es: 'Incluye sólo los cargos de esta hoja. Los pesos, si se muestran, son de referencia: la oferta es en su moneda.',
        en: 'It includes only the charges on this page. Pesos, where shown, are for reference: the offer is in its currency.',
      },
      {
        es: 'El espacio queda firme cuando lo confirmamos como reservado.',
        en: 'The space is firm once we confirm it as booked.',
      },
    ],
  },
} as const;
