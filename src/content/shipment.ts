import type { Bilingual } from './bilingual.ts';
import { stepNames } from './step-names.ts';
import { localTime, ZONES, type FlightTime, type Milestone, type ShipmentPlace } from '../lead/shipment.ts';

/** Words about a booked shipment, for receipt, desk and mail. */
export const shipmentWords = {
  title: { es: 'Dónde está', en: 'Where it is' },
  steps: stepNames,
  /** The four times of a flight. */
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

/** Reason of a delay, and spoilage. Texts that the sales team wrote are not translated. */
export const moreOf = ({ word, waste }: Milestone): readonly (Bilingual | false)[] => [
  word !== undefined && { es: word, en: '' },
  waste !== undefined && shipmentWords.waste(waste),
];

/** Time on the clock of its place, with the place: '6 de diciembre, 09:30 (Tijuana)'. */
export function timeAtPlace(at: number, place: ShipmentPlace): Bilingual {
  const time = localTime(at, place).slice(-5);
  const inLanguage = (language: string) =>
    new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: ZONES[place] }).format(at);
  const name = shipmentWords.places[place];
  return { es: `${inLanguage('es-MX')}, ${time} (${name})`, en: `${inLanguage('en-GB')}, ${time} (${name})` };
}
