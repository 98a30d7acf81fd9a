import type { Bilingual } from '../../src/content/bilingual.ts';
import { fieldWords } from '../../src/content/fields.ts';
import { csvHeading, csvLine } from '../../src/lead/csv.ts';
import { harmless } from '../../src/lead/harmless.ts';
import { FIELDS, type Field } from '../../src/lead/fields.ts';
import { dayInTijuana, timeInTijuana } from '../../src/lead/tijuana.ts';
import type { Lead } from './leads.ts';
import { localize } from '../language.ts';
import { aligned } from './command.ts';

export interface Format {
  readonly whole: (leads: readonly Lead[]) => string;
  readonly heading: string;
  readonly line: (lead: Lead) => string;
}

/** Short column headings, because the form's labels are too wide for a terminal. */
const SHORT: Partial<Record<Field, Bilingual>> = {
  peso: { es: 'kg/mes', en: 'kg/month' },
  tipo_carga: { es: 'tipo', en: 'type' },
};
/** Column widths for --follow, which prints each row before it knows the widths of later ones. */
const USUAL: Partial<Record<Field, number>> = { email: 30, telefono: 18, peso: 8, tipo_carga: 11 };

const HEADINGS = [
  'folio',
  ...localize({ es: 'hora (Tijuana)|estado|de|respuesta', en: 'when (Tijuana)|status|owner|answer' }).split('|'),
  ...FIELDS.map((field) => localize(SHORT[field] ?? fieldWords[field].label).toLowerCase()),
  localize({ es: 'además', en: 'also' }),
];
const USUAL_WIDTHS = [12, 16, 10, 12, 22, ...FIELDS.map((field) => USUAL[field] ?? 24), 0];

export const table: Format = {
  whole: (leads) => aligned([HEADINGS, ...leads.map(cells)]),
  heading: aligned([HEADINGS], USUAL_WIDTHS),
  line: (lead) => aligned([cells(lead)], USUAL_WIDTHS),
};

export const json: Format = {
  whole: (leads) => asJson(leads),
  heading: '',
  line: (lead) => `${harmlessJson(JSON.stringify(lead))}\n`,
};

export const csv: Format = {
  whole: (leads) => [csvHeading, ...leads.map(csvLine)].join(''),
  heading: csvHeading,
  line: csvLine,
};

function cells(lead: Lead): string[] {
  const desk = [lead.status ?? '', lead.assignee_name ?? '', howAnswered(lead)];
  return [
    lead.folio,
    inTijuana(lead.created_at),
    ...desk,
    ...FIELDS.map((field) => String(lead[field] ?? '')),
    additions(lead),
  ].map(harmless);
}

export function inTijuana(time: string): string {
  const at = Date.parse(time);
  return `${dayInTijuana(at)} ${timeInTijuana(at)}`;
}

/**
 * Describes how a lead was answered: the time left until the answer is due, how late the answer is, or how long it
 * took.
 */
export function howAnswered(lead: Lead, now = Date.now()): string {
  const { open, due_at, promised_at, first_answer_at, created_at, replaced_by, seen_at } = lead;
  if (open) {
    const left = Date.parse(due_at) - now;
    return left >= 0
      ? localize({ es: `faltan ${duration(left)}`, en: `${duration(left)} left` })
      : localize({ es: `vencida hace ${duration(-left)}`, en: `late by ${duration(-left)}` });
  }
  if (!first_answer_at) return replaced_by ? localize({ es: 'reemplazada', en: 'replaced' }) : '';
  const waited = duration(Date.parse(first_answer_at) - Date.parse(created_at));
  const took = localize({ es: `en ${waited}`, en: `after ${waited}` });
  const late = Date.parse(first_answer_at) > Date.parse(promised_at);
  return [
    took,
    late && localize({ es: 'fuera de plazo', en: 'late' }),
    seen_at && localize({ es: 'vista', en: 'seen' }),
  ]
    .filter(Boolean)
    .join(', ');
}

function duration(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${rest} min` : `${rest} min`;
}

/** Lists facts about a quote that are not fields of the form. */
function additions({ llamada, promociones, reemplaza, igual, embarque, entregada }: Lead): string {
  return [
    llamada && localize({ es: 'llamada', en: 'call' }),
    promociones && localize({ es: 'promociones', en: 'promotions' }),
    reemplaza && localize({ es: `reemplaza a ${reemplaza}`, en: `replaces ${reemplaza}` }),
    igual && localize({ es: `repite ${igual}`, en: `repeats ${igual}` }),
    embarque && localize({ es: `${embarque} kg por embarque`, en: `${embarque} kg a shipment` }),
    entregada && localize({ es: 'recuperada del teléfono', en: 'recovered from the phone' }),
  ]
    .filter(Boolean)
    .join(', ');
}

/** Escapes control characters that JSON.stringify leaves, because they could control a terminal. */
function harmlessJson(text: string): string {
  return text.replaceAll(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export const asJson = (value: unknown): string => `${harmlessJson(JSON.stringify(value, null, 2))}\n`;
