import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

export const deskShipment = {
  notRead: { es: 'No se pudo cargar el embarque.', en: 'The shipment could not be loaded.' },
  noFlight: { es: 'Sin vuelo todavía', en: 'No flight yet' },
  addFlight: { es: 'Agregar vuelo y guía', en: 'Add flight and waybill' },
  changeFlight: { es: 'Cambiar vuelo o guía', en: 'Change flight or waybill' },
  save: { es: 'Guardar', en: 'Save' },
  saved: { es: 'Guardado: el cliente lo ve en su teléfono.', en: 'Saved. The customer sees it on their phone.' },
  fields: {
    flight: { es: 'Vuelo', en: 'Flight' },
    day: { es: 'Día de salida', en: 'Day of departure' },
    origin: { es: 'Sale de', en: 'Leaves from' },
    waybill: { es: 'Guía aérea (11 dígitos), si ya la tiene', en: 'Air waybill (11 digits), if you have it' },
    time: sentence<[time: Bilingual, place: string]>(
      (time, place) => `${time}, hora de ${place}`,
      (time, place) => `${time}, time of ${place}`,
    ),
  },
  faults: {
    flight: { es: 'Escriba el vuelo, como CZ8412.', en: 'Write the flight, such as CZ8412.' },
    day: { es: 'Elija el día.', en: 'Choose the day.' },
    time: { es: 'Esa hora no existe ese día.', en: 'That time does not exist on that day.' },
    order: {
      es: 'Revise las horas: recolección, cierre, salida y llegada van en ese orden, y la salida en el día del vuelo.',
      en: 'Check the times: pick-up, cut-off, departure and arrival come in this order, departure on the day of the flight.',
    },
    check: (digit: number): Bilingual => ({
      es: `La guía no es válida: con esas cifras terminaría en ${digit}. Revísela.`,
      en: `The waybill is not valid: with these digits it would end in ${digit}. Check it.`,
    }),
    airline: {
      es: 'Faltan las 3 cifras de la aerolínea, antes de las 8.',
      en: 'The 3 digits of the airline are missing, before the 8.',
    },
    length: { es: 'La guía tiene 11 cifras, como 784-12345675.', en: 'A waybill has 11 digits, such as 784-12345675.' },
    word: { es: 'Escriba por qué: el cliente lo ve.', en: 'Write why: the customer sees it.' },
    waste: { es: 'Escriba un porcentaje de 0 a 100, como 0.5.', en: 'Write a percentage from 0 to 100, such as 0.5.' },
  },
  other: { es: 'Otro paso u otra hora', en: 'Another milestone or time' },
  step: { es: 'Paso', en: 'Milestone' },
  at: (place: string): Bilingual => ({ es: `Hora de ${place}`, en: `Time of ${place}` }),
  word: { es: '¿Por qué? (lo ve el cliente)', en: 'Why? (the customer sees it)' },
  waste: { es: 'Merma en % (opcional)', en: 'Spoilage in % (optional)' },
  whole: (flight: string, others: number): Bilingual => ({
    es: `Todo el vuelo ${flight}: también ${others === 1 ? 'otro embarque' : `otros ${others} embarques`}`,
    en: `The whole flight ${flight}: also ${others === 1 ? 'one other shipment' : `${others} other shipments`}`,
  }),
  held: sentence<[step: Bilingual, count: number, seconds: number]>(
    (step, count, seconds) => `${step}${count === '1' ? '' : `, ${count} embarques`}: se avisa en ${seconds} s`,
    (step, count, seconds) => `${step}${count === '1' ? '' : `, ${count} shipments`}: told in ${seconds} s`,
  ),
  lost: sentence<[step: Bilingual]>(
    (step) => `${step}: sin respuesta del servidor.`,
    (step) => `${step}: no response from the server.`,
  ),
  sendAgain: { es: 'Enviar otra vez', en: 'Send again' },
  takeBack: { es: 'Anular', en: 'Take back' },
  takenBack: { es: 'Anulado: el historial lo conserva.', en: 'Taken back. The history keeps it.' },
  done: (count: number): Bilingual => ({
    es: count === 1 ? 'Listo: el cliente ya lo ve.' : `Listo en ${count} embarques.`,
    en: count === 1 ? 'Done: the customer sees it now.' : `Done for ${count} shipments.`,
  }),
  partly: sentence<[done: number, reasons: Bilingual]>(
    (done, reasons) => `Listo en ${done}. No se guardó: ${reasons}`,
    (done, reasons) => `Done for ${done}. Not saved: ${reasons}`,
  ),
  /** Reasons why the database refuses a change of the shipment. */
  refused: {
    unbooked: { es: 'ese espacio no está reservado', en: 'that space is not booked' },
    owned: { es: 'la tiene un colega', en: 'a colleague has it' },
    unowned: { es: 'no tiene responsable: tómela primero', en: 'nobody has it: take it first' },
    future: { es: 'esa hora aún no llega', en: 'that time is in the future' },
    early: { es: 'esa hora es anterior a la oferta', en: 'that time is before the offer' },
    repeated: { es: 'ese paso ya está', en: 'that milestone is there already' },
    order: { es: 'esa hora no va con los otros pasos', en: 'that time does not fit the other milestones' },
    gone: { es: 'ese paso ya se anuló', en: 'that milestone was taken back already' },
  },
} as const;
