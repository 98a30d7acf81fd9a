import type { Lead } from '../../src/desk/lead/lead.ts';

const EMPTY = `
  reemplaza igual importada blocked_at entregada reply_verdict reply_to lost_reason accepted_price accepted_price_for
  accepted_currency accepted_kilos accepted_valid_until accepted_state accepted_reference accepted_lines accepted_total accepted_pesos offered offered_currency
  step assignee assignee_name first_answer_at last_answer seen_at news_at replaced_by`;

export const UNRATED = { lines: null, total: null, pesos: null, rate: null, rate_source: null, rate_day: null };

/** Returns a new lead without owner, with an answer promised within two hours. */
export function sampleLead(createdAt: string, values: Partial<Lead> = {}): Lead {
  const due = new Date(Date.parse(createdAt) + 2 * 3_600_000).toISOString();
  return {
    ...(Object.fromEntries(
      EMPTY.trim()
        .split(/\s+/)
        .map((column) => [column, null]),
    ) as unknown as Lead),
    quote_id: crypto.randomUUID(),
    folio: 'AP-0000-0000',
    created_at: createdAt,
    nombre: 'María José Núñez',
    empresa: 'Berries del Valle',
    email: 'ventas@berries.mx',
    telefono: '+52 (998) 765-4321',
    peso: 12_500,
    tipo_carga: 'perecederos',
    promociones: false,
    origen: 'formulario',
    status: 'nueva',
    open: true,
    reply_waiting: false,
    asked_at: createdAt,
    due_at: due,
    promised_at: due,
    version: 1,
    updated_at: createdAt,
    ...values,
  };
}
