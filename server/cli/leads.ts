import type { SupabaseClient } from '@supabase/supabase-js';
import type { Price } from '../../src/lead/offer.ts';
import { flatRow, type Quote } from '../../src/lead/quote.ts';
import { rowOf } from '../../src/lead/quote-row.ts';
import type { UnknownRecord } from '../../src/lead/validation.ts';
import { readLeadRow, type LeadRow } from '../../src/lead/rows.ts';
import { openAccess, type Access } from './access.ts';
import { localize } from '../language.ts';
import { personalDataIn, type PersonRow } from './personal-data.ts';
import type { Settings } from '../settings.ts';

/** A row of the desk under the id of its quote, with all that a newer release may add. */
export type Lead = Omit<LeadRow, 'quote_id'> & { readonly id: string };

/** The columns that only an offer has. */
export interface Offer {
  readonly price: string;
  readonly price_for: Price['per'];
  readonly currency: Price['currency'];
  readonly kilos: string;
  readonly valid_until: string;
}

/** The kind of an answer, with what that kind has. */
export type Answer = { readonly kind: 'mensaje' } | ({ readonly kind: 'oferta' } & Offer);

/** The words that the customer reads; `author_name` is for colleagues. */
interface AnswerWords {
  readonly body: string;
  readonly author_name?: string;
}

export interface Wanted {
  readonly since?: Date | undefined;
  readonly folio?: string | undefined;
  /** Only what phones brought back. It is dated by its first delivery: `since` then is about its last change. */
  readonly recovered?: boolean;
}

export interface Leads {
  /** Every lead that is wanted, oldest first. */
  list(wanted: Wanted): Promise<Lead[]>;
  /** Stores a quote under its own id. False when it was there. */
  add(quote: Quote): Promise<boolean>;
  /** The one lead of this folio or id, blocked or not; throws a sentence where there is none, or more than one. */
  find(folioOrId: string): Promise<Lead>;
  answer(lead: Lead, answer: Answer & AnswerWords): Promise<void>;
  block(lead: Lead, blocked: boolean): Promise<void>;
  /** For good. Throws a sentence when it was not blocked before. */
  erase(lead: Lead): Promise<void>;
  /** Notes an export for whoever supervises the desk. The service key counts its own rows. */
  noteExport(rows: number): Promise<void>;
  /** Everything that is stored of it. */
  everythingOf(lead: Lead): Promise<readonly PersonRow[]>;
  /** Whether what is erased is in no file of ours any more; elsewhere that is its administrator's to see to. */
  readonly ownsFiles: boolean;
  /** False when nothing can arrive, because the database is only open for this reading. */
  readonly live: boolean;
  close(): Promise<void>;
}

const PAGE = 1000;

/** The leads, wherever they are kept. */
export async function openLeads(settings: Settings, secretKey: string | undefined): Promise<Leads> {
  return leadsOf(await openSales(settings, secretKey));
}

export function openSales(settings: Settings, secretKey: string | undefined): Promise<Access> {
  return openAccess(settings, secretKey, {
    noKey: 'Quotes go to hosted Supabase: set SUPABASE_SECRET_KEY to read them.',
    nothingThere: 'There are no quotes',
  });
}

export const ownsFiles = ({ place }: Access) => place === 'data directory' || place === 'running server';

export async function noteExport({ client }: Access, rows: number): Promise<void> {
  const { error } = await (await client()).from('desk_acts').insert({ kind: 'exporte', rows, what: 'terminal' });
  if (error) throw new Error(`The export could not be noted: ${error.message}`);
}

function leadsOf(access: Access): Leads {
  const { place, client, close } = access;
  return {
    live: place !== 'data directory',
    ownsFiles: ownsFiles(access),
    noteExport: (rows) => noteExport(access, rows),
    close,
    list: async (wanted) => readAll(await client(), wanted),
    add: async (quote) => store(await client(), quote),
    find: async (folioOrId) => find(await client(), folioOrId),
    answer: async (lead, given) => give(await client(), lead, given),
    block: async ({ id }, blocked) => {
      const blocked_at = blocked ? new Date().toISOString() : null;
      const { error } = await (await client()).from('quote_desk').update({ blocked_at }).eq('quote_id', id);
      if (error) throw new Error(`Nothing was changed: ${error.message}`);
    },
    erase: async (lead) => erase(await client(), lead),
    everythingOf: ({ id }) => personalDataIn(client).rowsOf([id]),
  };
}

async function store(client: SupabaseClient, quote: Quote): Promise<boolean> {
  const { data, error } = await client
    .from('quotes')
    .upsert(rowOf(quote), { onConflict: 'id', ignoreDuplicates: true })
    .select('id');
  if (error?.code === '23505')
    throw new Error('The very same request is here already, under another folio of today. Nothing was stored.');
  if (error) throw new Error(`The quote could not be stored: ${error.message}`);
  return data.length > 0;
}

async function find(client: SupabaseClient, folioOrId: string): Promise<Lead> {
  const key = folioOrId.startsWith('AP-') ? 'folio' : 'quote_id';
  const { data, error } = await client.from('desk_leads').select('*').eq(key, folioOrId);
  if (error) throw new Error(`The quote could not be read: ${error.message}`);
  const leads = data.map(leadOf);
  if (leads.length > 1)
    throw new Error(
      `${leads.length} quotes have the folio ${folioOrId}. Say the id of one instead: ${leads.map(({ id }) => id).join(', ')}`,
    );
  if (!leads[0])
    throw new Error(
      localize({ es: `Ninguna cotización tiene el folio ${folioOrId}.`, en: `No quote has the folio ${folioOrId}.` }),
    );
  return leads[0];
}

async function give(client: SupabaseClient, { id, folio }: Lead, answer: Answer & AnswerWords): Promise<void> {
  const { error } = await client.from('quote_answers').insert({ ...answer, quote_id: id });
  if (!error) return;
  if (error.hint === 'blocked') throw new Error(`${folio} is blocked: nothing was stored. Unblock it first.`);
  throw new Error(`The answer was not stored: ${error.message}`);
}

async function erase(client: SupabaseClient, { id, folio }: Lead): Promise<void> {
  const { error } = await client.from('quotes').delete().eq('id', id);
  if (!error) return;
  if (error.hint === 'unblocked')
    throw new Error(
      localize({
        es: `${folio} no está bloqueada, y no se borró nada: sólo se borra lo que antes se bloqueó.`,
        en: `${folio} is not blocked, and nothing was erased. Only what was blocked before is.`,
      }),
    );
  throw new Error(`Nothing was erased: ${error.message}`);
}

/** With all that a row has: what is of a newer release is printed as well. */
function leadOf(row: unknown): Lead {
  const lead = readLeadRow(row);
  if (!lead) throw new Error('The quotes could not be read: the answer is none of a desk.');
  const { quote_id: id, ...rest } = { ...flatRow(row as UnknownRecord), ...lead };
  return { id, ...rest };
}

/**
 * Page by page from the time of the last row seen: what arrives meanwhile shifts nothing, as it would with an offset. How
 * many rows a page has is the server's to say: one that is shorter than another was is the last.
 */
async function readAll(client: SupabaseClient, { since, folio, recovered = false }: Wanted): Promise<Lead[]> {
  const time = recovered ? 'updated_at' : 'created_at';
  const leads = new Map<string, Lead>();
  let from = since?.toISOString();
  /** Among more rows of one moment than a page has. */
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
    // Where it is not null, for which the embedded server has no word.
    if (recovered) query = query.gte('entregada', new Date(0).toISOString());
    if (from) query = query.gte(time, from);
    if (folio) query = query.eq('folio', folio);
    const { data, error } = await query;
    if (error) throw new Error(`The quotes could not be read: ${error.message}`);
    const page: Lead[] = data.map(leadOf);
    const known = leads.size;
    for (const lead of page) leads.set(lead.id, lead);
    // And one that has nothing new, further on in one moment, is of a server that heeds no offset.
    const isLast = page.length === 0 || page.length < longest || (offset > 0 && leads.size === known);
    if (isLast) return [...leads.values()];
    longest = page.length;
    const last = page.at(-1)![time];
    offset = last === from ? offset + page.length : 0;
    from = last;
  }
}
