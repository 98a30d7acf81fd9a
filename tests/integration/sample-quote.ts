import { randomUUID } from 'node:crypto';

export interface SampleQuote {
  readonly id: string;
  readonly nombre: string;
  readonly empresa: string;
  readonly email: string;
  readonly telefono: string;
  readonly peso: number;
  readonly tipo_carga: string;
}

/** A quote nobody has sent before, with what the test needs to be different. */
export function sampleQuote<Changes extends object>(changes?: Changes): SampleQuote & Changes {
  const id = randomUUID();
  return {
    id,
    nombre: 'María Núñez',
    empresa: 'Berries del Valle',
    email: `maria.${id.slice(0, 8)}@berries.mx`,
    telefono: '+52 (664) 555-0175',
    peso: 1200,
    tipo_carga: 'perecederos',
    ...changes,
  } as SampleQuote & Changes;
}
