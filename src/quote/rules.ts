import { z } from 'zod/mini';
import type { Bilingual } from '../content/bilingual.ts';
import { ruleFailures } from '../content/failures.ts';
import { FIELDS, isCargoType, type CargoType, type Field, type Quote } from './quote.ts';

type Failure = keyof typeof ruleFailures;

const LONGEST = 100;
const HEAVIEST = 1_000_000;

/** zod carries the name of a sentence; the sentence itself is content. */
const says = (failure: Failure) => failure;

function line(missing: Failure, long: Failure) {
  return z.string().check(z.trim(), z.minLength(1, says(missing)), z.maxLength(LONGEST, says(long)));
}

/** Digits may be grouped as people write them: 12,500 or 12 500. */
const WRITTEN_NUMBER = /^(\d+|\d{1,3}([ ,]\d{3})+)(\.\d+)?$/;

function readNumber(written: string): number {
  return WRITTEN_NUMBER.test(written) ? Number(written.replaceAll(/[ ,]/g, '')) : Number.NaN;
}

/** The rules of the form, each with its sentence, as the specification has them (section 5). */
const form = z.object({
  nombre: line('nombreMissing', 'nombreLong'),
  empresa: line('empresaMissing', 'empresaLong'),
  email: z.string().check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, says('emailMissing')),
    z.refine((value) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value), says('emailForm')),
    z.maxLength(LONGEST, says('emailLong')),
  ),
  telefono: z.string().check(
    z.trim(),
    z.minLength(1, says('telefonoMissing')),
    z.refine((value) => /^.{7,15}$/.test(value.replaceAll(/[\s().-]/g, '')), says('telefonoForm')),
    z.maxLength(20, says('telefonoLong')),
  ),
  peso: z.string().check(
    z.trim(),
    z.minLength(1, says('pesoMissing')),
    z.refine((written) => readNumber(written) > 0, says('pesoForm')),
    z.refine((written) => !(readNumber(written) > HEAVIEST), says('pesoHigh')),
  ),
  tipo_carga: z.string().check(z.minLength(1, says('tipoMissing')), z.refine(isCargoType, says('tipoForm'))),
});

export type Values = Readonly<Record<Field, string>>;
export type Faults = Partial<Readonly<Record<Field, Bilingual>>>;

/** The clean quote, or one sentence for each field that is not right. */
export function check(id: string, values: Values): { readonly quote: Quote } | { readonly faults: Faults } {
  const result = form.safeParse(values);
  if (result.success) {
    const { peso, tipo_carga, ...rest } = result.data;
    // Whole kilos, and a load under one is still a load.
    return {
      quote: { id, ...rest, peso: Math.max(1, Math.round(readNumber(peso))), tipo_carga: tipo_carga as CargoType },
    };
  }
  const faults: Record<string, Bilingual> = {};
  for (const { path, message } of result.error.issues) faults[String(path[0])] ??= ruleFailures[message as Failure];
  return { faults };
}

export function firstFault(faults: Faults): Field | undefined {
  return FIELDS.find((field) => faults[field]);
}
