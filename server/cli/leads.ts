import type { SupabaseClient } from '@supabase/supabase-js';
import { eachLanguage, type Bilingual } from '../../src/content/bilingual.ts';
import { NO_QUOTES } from '../database/data-directory.ts';
import type { Price } from '../../src/lead/offer.ts';
import type { ImportedLead, ImportOutcome } from '../../src/lead/lead-import.ts';
import { flatRow, type Quote } from '../../src/lead/quote.ts';
import { rowOf } from '../../src/lead/quote-row.ts';
import type { UnknownRecord } from '../../src/lead/validation.ts';
import { acceptedOfferOf, type AcceptedOffer } from '../../src/lead/one-record.ts';
import { readDetailsRow } from '../../src/lead/details.ts';
import { readAnswerRow, readLeadRow, readOfferRow, type LeadRow } from '../../src/lead/rows.ts';
import { readShipmentRow, type ShipmentRow } from '../../src/lead/shipment-row.ts';
import type { ImportedStep, StepRequests } from '../../src/lead/step-import.ts';
import { openAccess, type Access } from './access.ts';
import { personalDataIn, type PersonRow } from './personal-data.ts';
import type { Settings } from '../settings.ts';
import { OperatorError } from '../language.ts';

/** Lead with the columns that the desk shows and the id of its quote. A newer server may add columns. */
export type Lead = Omit<LeadRow, 'quote_id'> & { readonly id: string };

export interface Offer {
  readonly price: string;
  readonly price_for: Price['per'];
  readonly currency: Price['currency'];
  readonly kilos: string;
  readonly valid_until: string;
}

export type AnswerKind = { readonly kind: 'mensaje' } | ({ readonly kind: 'oferta' } & Offer);

/** Text of an answer, and the author's name, which only colleagues see. */
interface AnswerText {
  readonly body: string;
  readonly author_name?: string;
}

export interface LeadFilter {
  readonly since?: Date | undefined;
  readonly folio?: string | undefined;
  /**
   * True to list only quotes that phones sent again after a restore. `since` is then compared with the time of the
   * lead's last change.
   */
  readonly recovered?: boolean;
}

export interface Leads {
  /** Resolves with the matching leads, oldest first. */
  list(filter: LeadFilter): Promise<Lead[]>;
  /** Stores a quote under its id. Resolves with false if the id is stored already. */
  add(quote: Quote): Promise<boolean>;
  /** Finds the lead with a folio or id, even a blocked one. Throws if there is none, or more than one. */
  find(folioOrId: string): Promise<Lead>;
  answer(lead: Lead, answer: AnswerKind & AnswerText): Promise<void>;
  block(lead: Lead, blocked: boolean): Promise<void>;
  /** Erases a blocked lead for good. Throws if it is not blocked. */
  erase(lead: Lead): Promise<void>;
  /** Records an export, which supervisors see at the desk. */
  noteExport(rows: number): Promise<void>;
  /** Requests that import milestones from a CSV file. */
  readonly steps: StepRequests;
  /**
   * Imports the leads of a file. Resolves with the outcome of each lead. With `isTrial` nothing is stored, and the
   * outcomes are those that an import would have.
   */
  import(leads: readonly ImportedLead[], isTrial: boolean): Promise<readonly ImportOutcome[]>;
  /** Resolves with the accepted offer of a lead; undefined if nothing was accepted. */
  acceptedOffer(lead: Lead): Promise<AcceptedOffer | undefined>;
  everythingOf(lead: Lead): Promise<readonly PersonRow[]>;
  /**
   * True if AeroPuente removes erased data from the database files. False for PostgreSQL, whose administrator must do
   * so.
   */
  readonly ownsFiles: boolean;
  /** False if no server is running, so that no new lead can arrive. */
  readonly isLive: boolean;
  close(): Promise<void>;
}

const PAGE = 1000;

export async function openLeads(settings: Settings, secretKey: string | undefined): Promise<Leads> {
  return leadsOf(await openSales(settings, secretKey));
}

export function openSales(settings: Settings, secretKey: string | undefined): Promise<Access> {
  return openAccess(settings, secretKey, {
    noKey: {
      es: 'Las cotizaciones están en Supabase alojado: ponga SUPABASE_SECRET_KEY para leerlas.',
      en: 'Quotes are in hosted Supabase: set SUPABASE_SECRET_KEY to read them.',
    },
    noDatabase: NO_QUOTES,
  });
}

export const ownsFiles = ({ place }: Access) => place === 'data directory' || place === 'running server';

export async function noteExport({ client }: Access, rows: number): Promise<void> {
  const { error } = await (await client()).from('desk_acts').insert({ kind: 'exporte', rows, what: 'terminal' });
  if (error)
    throw failure({ es: 'No se pudo registrar la exportación', en: 'The export could not be recorded' }, error);
}

function leadsOf(access: Access): Leads {
  const { place, client, close } = access;
  return {
    isLive: place !== 'data directory',
    ownsFiles: ownsFiles(access),
    noteExport: (rows) => noteExport(access, rows),
    close,
    list: async (filter) => readAll(await client(), filter),
    add: async (quote) => storeQuote(await client(), quote),
    find: async (folioOrId) => find(await client(), folioOrId),
    answer: async (lead, answer) => storeAnswer(await client(), lead, answer),
    block: async ({ id }, blocked) => {
      const blocked_at = blocked ? new Date().toISOString() : null;
      const { error } = await (await client()).from('quote_desk').update({ blocked_at }).eq('quote_id', id);
      if (error) throw failure({ es: 'No se cambió nada', en: 'Nothing was changed' }, error);
    },
    erase: async (lead) => erase(await client(), lead),
    steps: {
      read: async (column, values) => readShipments(await client(), column, values),
      store: async (steps) => storeSteps(await client(), steps),
    },
    import: async (leads, isTrial) => storeImport(await client(), leads, isTrial),
    acceptedOffer: async (lead) => readAcceptedOffer(await client(), lead),
    everythingOf: ({ id }) => personalDataIn(client).rowsOf([id]),
  };
}

const failure = (what: Bilingual, { message }: { readonly message: string }) =>
  new OperatorError(eachLanguage(what, (words) => `${words}: ${message}`));

async function storeQuote(client: SupabaseClient, quote: Quote): Promise<boolean> {
  const { data, error } = await client
    .from('quotes')
    .upsert(rowOf(quote), { onConflict: 'id', ignoreDuplicates: true })
    .select('id');
  if (error?.code === '23505')
    throw new OperatorError({
      es: 'Hoy ya llegó una solicitud idéntica, con otro folio. No se guardó nada.',
      en: 'An identical request of today is stored under another folio. Nothing was stored.',
    });
  if (error) throw failure({ es: 'No se pudo guardar la cotización', en: 'The quote could not be stored' }, error);
  return data.length > 0;
}

async function find(client: SupabaseClient, folioOrId: string): Promise<Lead> {
  const key = folioOrId.startsWith('AP-') ? 'folio' : 'quote_id';
  const { data, error } = await client.from('desk_leads').select('*').eq(key, folioOrId);
  if (error) throw failure({ es: 'No se pudo leer la cotización', en: 'The quote could not be read' }, error);
  const leads = data.map(leadOf);
  if (leads.length > 1)
    throw new OperatorError({
      es: `${leads.length} cotizaciones tienen el folio ${folioOrId}. Use el identificador de una: ${leads.map(({ id }) => id).join(', ')}`,
      en: `${leads.length} quotes have the folio ${folioOrId}. Use the id of one: ${leads.map(({ id }) => id).join(', ')}`,
    });
  if (!leads[0])
    throw new OperatorError({
      es: `Ninguna cotización tiene el folio ${folioOrId}.`,
      en: `No quote has the folio ${folioOrId}.`,
    });
  return leads[0];
}

async function storeAnswer(
  client: SupabaseClient,
  { id, folio }: Lead,
  answer: AnswerKind & AnswerText,
): Promise<void> {
  const { error } = await client.from('quote_answers').insert({ ...answer, quote_id: id });
  if (!error) return;
  if (error.hint === 'blocked')
    throw new OperatorError({
      es: `${folio} está bloqueada y no se guardó nada. Desbloquéela antes.`,
      en: `${folio} is blocked and nothing was stored. Unblock it first.`,
    });
  throw failure({ es: 'No se guardó la respuesta', en: 'The answer was not stored' }, error);
}

async function readShipments(
  client: SupabaseClient,
  column: 'folio' | 'waybill' | 'quote_id',
  values: readonly string[],
): Promise<readonly ShipmentRow[]> {
  const { data, error } = await client.from('desk_shipments').select('*').in(column, values).order('booked_at');
  if (error) throw failure({ es: 'No se pudo leer el embarque', en: 'The shipment could not be read' }, error);
  return data.flatMap((row) => readShipmentRow(row) ?? []);
}

async function storeSteps(client: SupabaseClient, steps: readonly ImportedStep[]): Promise<readonly string[]> {
  const { data, error } = await client.from('step_imports').insert({ steps }).select('outcomes');
  if (error) throw failure({ es: 'No se guardaron los pasos', en: 'The milestones were not stored' }, error);
  return (data as [{ outcomes: string[] }])[0].outcomes;
}

async function readAcceptedOffer(client: SupabaseClient, lead: Lead): Promise<AcceptedOffer | undefined> {
  const of = async (table: string, order: string): Promise<readonly unknown[]> => {
    const { data, error } = await client.from(table).select('*').eq('quote_id', lead.id).order(order);
    if (error) throw failure({ es: 'No se pudo leer la oferta', en: 'The offer could not be read' }, error);
    return data;
  };
  const offers = (await of('quote_offers', 'state_at')).flatMap((row) => readOfferRow(row) ?? []);
  const answers = (await of('quote_answers', 'created_at')).flatMap((row) => readAnswerRow(row) ?? []);
  const details = (await of('quote_details', 'pressed_at')).flatMap((row) => readDetailsRow(row) ?? []).at(-1)?.details;
  const shipments = await readShipments(client, 'quote_id', [lead.id]);
  return offers
    .toReversed()
    .flatMap((offer) => {
      const answer = answers.find(({ id }) => id === offer.answer_id);
      const shipment = shipments.find(({ answer_id }) => answer_id === offer.answer_id)?.shipment;
      return (
        (answer && acceptedOfferOf(lead, answer, offer, { details: details ?? {}, shipment, contact: lead })) ?? []
      );
    })
    .at(0);
}

async function storeImport(
  client: SupabaseClient,
  leads: readonly ImportedLead[],
  is_trial: boolean,
): Promise<readonly ImportOutcome[]> {
  const { data, error } = await client.from('lead_imports').insert({ leads, is_trial }).select('outcomes');
  if (error) throw failure({ es: 'No se pudo importar', en: 'The import failed' }, error);
  return (data as [{ outcomes: ImportOutcome[] }])[0].outcomes;
}

async function erase(client: SupabaseClient, { id, folio }: Lead): Promise<void> {
  const { error } = await client.from('quotes').delete().eq('id', id);
  if (!error) return;
  if (error.hint === 'unblocked')
    throw new OperatorError({
      es: `${folio} no está bloqueada y no se borró nada: bloquéela antes.`,
      en: `${folio} is not blocked and nothing was erased: block it first.`,
    });
  throw failure({ es: 'No se borró nada', en: 'Nothing was erased' }, error);
}

/** Reads a row as a lead. Columns that this release does not know are retained, because a newer server may add them. */
function leadOf(row: unknown): Lead {
  const lead = readLeadRow(row);
  if (!lead)
    throw new OperatorError({
      es: 'No se pudieron leer las cotizaciones: lo que contestó el servidor no es una lista de la mesa de ventas.',
      en: 'The quotes could not be read: the server did not answer with leads.',
    });
  const { quote_id: id, ...rest } = { ...flatRow(row as UnknownRecord), ...lead };
  return { id, ...rest };
}

/**
 * Reads the leads page by page. Each page begins at the time of the last row before it, because new rows would shift an
 * offset. A page that is shorter than an earlier one is the last: the server decides the length of a page.
 */
async function readAll(client: SupabaseClient, { since, folio, recovered = false }: LeadFilter): Promise<Lead[]> {
  const time = recovered ? 'updated_at' : 'created_at';
  const leads = new Map<string, Lead>();
  let from = since?.toISOString();
  /** Number of rows to skip, if rows with the same time fill more than one page. */
  let offset = 0;
  let longest = 0;
  for (;;) {
    let query = client
      .from('desk_leads')
      .select('*')
      .is('blocked_at', null)
      .order(time)
      .order('quote_id')
      .range(offset, offset + PAGE - 1);
    // No time is before 1970, so this condition means `not null`, a filter that the embedded server does not support.
    if (recovered) query = query.gte('entregada', new Date(0).toISOString());
    if (from) query = query.gte(time, from);
    if (folio) query = query.eq('folio', folio);
    const { data, error } = await query;
    if (error) throw failure({ es: 'No se pudieron leer las cotizaciones', en: 'The quotes could not be read' }, error);
    const page: Lead[] = data.map(leadOf);
    const known = leads.size;
    for (const lead of page) leads.set(lead.id, lead);
    // A server that ignores the offset would send the same page for ever, so a page without new rows is the last.
    const isLast = page.length === 0 || page.length < longest || (offset > 0 && leads.size === known);
    if (isLast) return [...leads.values()];
    longest = page.length;
    const last = page.at(-1)![time];
    offset = last === from ? offset + page.length : 0;
    from = last;
  }
}
