import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

export const deskAnswer = {
  title: { es: 'Responder', en: 'Answer' },
  kind: { es: 'Tipo de respuesta', en: 'Kind of answer' },
  kinds: {
    oferta: { es: 'Oferta', en: 'Offer' },
    pregunta: { es: 'Pregunta', en: 'Question' },
    mensaje: { es: 'Mensaje', en: 'Message' },
  },
  kindHint: {
    oferta: {
      es: 'Lleva precio, peso y vigencia; el cliente puede aceptarla.',
      en: 'With price, weight and validity; the customer can accept it.',
    },
    pregunta: {
      es: 'El cliente la contesta; no hay nada que aceptar.',
      en: 'The customer replies to it; there is nothing to accept.',
    },
    mensaje: { es: 'Sólo informa; no pide respuesta.', en: 'For information only; no reply needed.' },
  },
  body: { es: 'Respuesta', en: 'Answer' },
  price: { es: 'Precio', en: 'Price' },
  per: { es: 'Por', en: 'Per' },
  kilo: { es: 'kilo', en: 'kilo' },
  total: { es: 'total', en: 'total' },
  currency: { es: 'Moneda', en: 'Currency' },
  kilos: {
    kilo: { es: 'Kilos al mes', en: 'Kilos a month' },
    total: { es: 'Kilos del embarque', en: 'Kilos of the shipment' },
  },
  sum: (money: string): Bilingual => ({ es: `≈ ${money} al mes`, en: `≈ ${money} a month` }),
  lastPrice: {
    customer: (price: string): Bilingual => ({
      es: `${price} · último a este cliente`,
      en: `${price} · last to this customer`,
    }),
    cargo: (price: string, cargo: string): Bilingual => ({
      es: `${price} · último para ${cargo}`,
      en: `${price} · last for this cargo`,
    }),
  },
  lines: {
    open: { es: 'Desglosar', en: 'Itemise' },
    title: { es: 'Desglose', en: 'Lines' },
    close: { es: 'Quitar desglose', en: 'Remove lines' },
    add: { es: 'Agregar renglón', en: 'Add line' },
    charge: { es: 'Cargo', en: 'Charge' },
    amount: { es: 'Importe', en: 'Amount' },
    per: { es: 'Unidad', en: 'Unit' },
    units: {
      kilo: { es: 'kilo', en: 'kilogram' },
      embarque: { es: 'embarque', en: 'shipment' },
      dia: { es: 'día', en: 'day' },
    },
    days: { es: 'Días', en: 'Days' },
    name: { es: 'Nombre del cargo', en: 'Name of the charge' },
    remove: (charge: string): Bilingual => ({ es: `Quitar ${charge}`, en: `Remove ${charge}` }),
    sum: { es: 'Precio (suma)', en: 'Price (sum)' },
  },
  rate: {
    open: { es: 'Tipo de cambio', en: 'Exchange rate' },
    none: {
      es: 'Sin tipo de cambio: la oferta no mostrará pesos.',
      en: 'No exchange rate: the offer will show no pesos.',
    },
    current: sentence<[unit: Bilingual, pesos: string, source: string, day: Bilingual]>(
      (unit, pesos, source, day) => `${pesos} por ${unit} · ${source}, ${day}`,
      (unit, pesos, source, day) => `${pesos} per ${unit} · ${source}, ${day}`,
    ),
    hint: {
      es: 'Las ofertas nuevas guardan este tipo de cambio; las ya enviadas conservan el suyo.',
      en: 'New offers store this rate; offers already sent keep theirs.',
    },
    pesos: sentence<[unit: Bilingual]>(
      (unit) => `Pesos por ${unit}`,
      (unit) => `Pesos per ${unit}`,
    ),
    source: { es: 'Fuente', en: 'Source' },
    usualSource: { es: 'FIX del Banco de México', en: 'Banco de México FIX' },
    day: { es: 'Fecha de publicación', en: 'Day of publication' },
    save: { es: 'Guardar tipo de cambio', en: 'Save exchange rate' },
    faults: {
      pesos: { es: 'Escriba los pesos como 17.0638.', en: 'Write the pesos like 17.0638.' },
      source: { es: 'Escriba de dónde viene.', en: 'Write where it comes from.' },
      day: { es: 'Indique una fecha que no sea futura.', en: 'Give a day that is not in the future.' },
    },
  },
  validUntil: { es: 'Vigencia', en: 'Valid until' },
  days: (count: number): Bilingual => ({ es: `${count} días`, en: `${count} days` }),
  endOfMonth: { es: 'fin de mes', en: 'end of month' },
  preview: (name: string): Bilingual => ({ es: `Así lo verá ${name}`, en: `What ${name} will see` }),
  send: {
    oferta: { es: 'Enviar oferta', en: 'Send offer' },
    pregunta: { es: 'Enviar pregunta', en: 'Send question' },
    mensaje: { es: 'Enviar mensaje', en: 'Send message' },
  },
  takeAndSend: {
    oferta: { es: 'Tomar y enviar oferta', en: 'Take and send offer' },
    pregunta: { es: 'Tomar y enviar pregunta', en: 'Take and send question' },
    mensaje: { es: 'Tomar y enviar mensaje', en: 'Take and send message' },
  },
  countdown: (seconds: number): Bilingual => ({ es: `Se envía en ${seconds} s`, en: `Sends in ${seconds} s` }),
  sending: { es: 'Enviando…', en: 'Sending…' },
  undo: { es: 'Deshacer', en: 'Undo' },
  sendNow: { es: 'Enviar ya', en: 'Send now' },
  waiting: {
    es: 'Sin conexión. Se enviará automáticamente en cuanto vuelva.',
    en: 'No connection. It sends automatically as soon as the connection is back.',
  },
  sent: {
    oferta: (name: string): Bilingual => ({ es: `Oferta enviada a ${name}.`, en: `Offer sent to ${name}.` }),
    pregunta: (name: string): Bilingual => ({ es: `Pregunta enviada a ${name}.`, en: `Question sent to ${name}.` }),
    mensaje: (name: string): Bilingual => ({ es: `Mensaje enviado a ${name}.`, en: `Message sent to ${name}.` }),
  },
  faults: {
    body: { es: 'Escriba la respuesta.', en: 'Write the answer.' },
    noPrice: {
      es: 'Escriba el precio. Sin precio, elija Pregunta o Mensaje.',
      en: 'Write the price. Without one, choose Question or Message.',
    },
    price: { es: 'Escriba el precio como 4.10.', en: 'Write the price like 4.10.' },
    days: { es: 'Escriba de 1 a 365 días.', en: 'Write 1 to 365 days.' },
    kilos: {
      es: 'Escriba el peso en kilos enteros, como 1,200.',
      en: 'Write the weight in whole kilos, like 1,200.',
    },
    noDay: { es: 'Indique la vigencia de la oferta.', en: 'Say how long the offer is valid.' },
    day: { es: 'Escriba la fecha como 28/11/2026.', en: 'Write the date like 28/11/2026.' },
    pastDay: { es: 'La fecha ya pasó en Tijuana.', en: 'That day is past in Tijuana.' },
  },
  discard: { es: 'Descartar', en: 'Discard' },
  template: {
    es: 'Gracias por su solicitud, {nombre}. Para {peso} kg al mes ({carga}), tarifa todo incluido de puerta a puerta, con salida en nuestro próximo vuelo de Tijuana a Zhengzhou.',
    en: 'Thank you for your request, {nombre}. For {peso} kg a month ({carga}), an all-in door-to-door rate, on our next flight from Tijuana to Zhengzhou.',
  },
} as const;
