import type { Bilingual } from './bilingual.ts';
import { stepNames } from './step-names.ts';
import { localTime, ZONES, type FlightTime, type Milestone, type ShipmentPlace } from '../lead/shipment.ts';

/** Texts about a booked shipment, used by receipt, desk and mail. */
export const shipmentWords = {
  title: { es: 'Dónde está', en: 'Where it is' },
  steps: stepNames,
  times: {
    pickup: { es: 'Recolección', en: 'Pick-up' },
    cutoff: { es: 'Cierre de recepción', en: 'Cut-off' },
    departs: { es: 'Salida', en: 'Departure' },
    arrives: { es: 'Llegada a Zhengzhou', en: 'Arrival in Zhengzhou' },
  } satisfies Record<FlightTime, Bilingual>,
  places: { TIJ: 'Tijuana', AIFA: 'AIFA', CUN: 'Cancún', CGO: 'Zhengzhou' } satisfies Record<ShipmentPlace, string>,
  waybill: { es: 'Guía aérea', en: 'Air waybill' },
  flight: { es: 'Vuelo', en: 'Flight' },
  waste: (percent: number): Bilingual => ({ es: `merma ${percent} %`, en: `spoilage ${percent} %` }),
} as const;

/**
 * Returns a milestone's reason for a delay and the spoiled part of the cargo. The reason is not translated, because the
 * sales team wrote it.
 */
export const moreOf = ({ word, waste }: Milestone): readonly (Bilingual | false)[] => [
  word !== undefined && { es: word, en: word },
  waste !== undefined && shipmentWords.waste(waste),
];

/** Writes a time with its place, in the local time of that place: '6 de diciembre, 09:30 (Tijuana)'. */
export function timeAtPlace(at: number, place: ShipmentPlace): Bilingual {
  const time = localTime(at, place).slice(-5);
  const inLanguage = (language: string) =>
    new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: ZONES[place] }).format(at);
  const name = shipmentWords.places[place];
  return { es: `${inLanguage('es-MX')}, ${time} (${name})`, en: `${inLanguage('en-GB')}, ${time} (${name})` };
}
