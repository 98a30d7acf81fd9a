import type { Bilingual } from './bilingual.ts';
import { sentence } from './sentences.ts';

export const charges = {
  kinds: {
    flete: { es: 'Flete aéreo', en: 'Air freight' },
    combustible: { es: 'Combustible', en: 'Fuel' },
    seguridad: { es: 'Seguridad', en: 'Security' },
    manejo: { es: 'Manejo', en: 'Handling' },
    aduana: { es: 'Despacho aduanal', en: 'Customs clearance' },
    entrega: { es: 'Entrega', en: 'Delivery' },
    otro: { es: 'Otro cargo', en: 'Other charge' },
  },
  per: {
    kilo: { es: 'por kilo', en: 'per kilo' },
    embarque: { es: 'por embarque', en: 'per shipment' },
    dia: { es: 'por día', en: 'per day' },
  },
  days: (days: number): Bilingual => ({
    es: days === 1 ? '1 día' : `${days} días`,
    en: days === 1 ? '1 day' : `${days} days`,
  }),
  units: { USD: { es: 'dólar', en: 'US dollar' }, CNY: { es: 'yuan chino', en: 'Chinese yuan' } },
  /** Value in pesos, as information only: the price is in the offer's currency. */
  pesos: sentence<[pesos: string, rate: string, unit: Bilingual, source: string, day: Bilingual]>(
    (pesos, rate, unit, source, day) => `≈ ${pesos} de referencia, a ${rate} por ${unit} (${source}, ${day})`,
    (pesos, rate, unit, source, day) => `≈ ${pesos} for reference, at ${rate} per ${unit} (${source}, ${day})`,
  ),
} as const;
