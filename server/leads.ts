import { existsSync } from 'node:fs';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Columns } from '../src/quote/fields.ts';
import type { Quote } from '../src/quote/quote.ts';
import { openBackend } from './backend.ts';
import { databaseFolderIn, DirectoryInUse } from './data-directory.ts';
import { findRunning } from './running.ts';
import type { Settings } from './settings.ts';

/** A stored quote, as the sales side reads it. */
export interface Lead extends Columns {
  readonly id: string;
  readonly created_at: string;
  readonly folio: string;
  readonly llamada?: boolean;
  readonly promociones?: boolean;
  /** The folio of the quote that this one corrects. */
  readonly reemplaza?: string | null;
}

export interface Wanted {
  readonly since?: Date | undefined;
  readonly folio?: string | undefined;
}

export interface Leads {
  /** Every lead that is wanted, oldest first. */
  list(wanted: Wanted): Promise<Lead[]>;
  /** Stores a quote under its own id. False when it was there. */
  add(quote: Quote): Promise<boolean>;
  /** False when nothing can arrive, because the database is only open for this reading. */
  readonly live: boolean;
  close(): Promise<void>;
}

const PAGE = 1000;

/** The leads of hosted Supabase, of the running server, or of the data directory nobody has open. */
export async function openLeads(settings: Settings, serviceRoleKey: string | undefined): Promise<Leads> {
  if (settings.hosted) {
    if (!serviceRoleKey) throw new Error('Quotes go to hosted Supabase: set SUPABASE_SERVICE_ROLE_KEY to read them.');
    const client = await connect(settings.hosted, serviceRoleKey);
    return {
      live: true,
      list: (wanted) => readAll(client, wanted),
      add: (quote) => store(client, quote),
      close: async () => {},
    };
  }
  if (!existsSync(databaseFolderIn(settings.dataDir))) {
    throw new Error(`There are no quotes in ${settings.dataDir}: nothing was ever stored there. Is DATA_DIR right?`);
  }
  try {
    return await openDirectory(settings);
  } catch (error) {
    if (error instanceof DirectoryInUse) return askRunning(settings);
    throw error;
  }
}

async function openDirectory(settings: Settings): Promise<Leads> {
  const backend = await openBackend(settings);
  const answer: typeof fetch = (input, init) => backend.answer(new Request(input, init), '');
  const client = async () => connect('http://localhost', await backend.serviceKey(), answer);
  return {
    live: false,
    list: async (wanted) => readAll(await client(), wanted),
    add: async (quote) => store(await client(), quote),
    close: () => backend.close(),
  };
}

async function askRunning(settings: Settings): Promise<Leads> {
  await findRunning(settings);
  // Looked up each time: a server that was restarted may be somewhere else.
  const client = async () => {
    const { address, key } = await findRunning(settings, { patience: 0 });
    return connect(address, key);
  };
  return {
    live: true,
    list: async (wanted) => readAll(await client(), wanted),
    add: async (quote) => store(await client(), quote),
    close: async () => {},
  };
}

/** Loaded here only: the server itself never needs a client. */
async function connect(url: string, key: string, fetchWith: typeof fetch = fetch): Promise<SupabaseClient> {
  const { createClient } = await import('@supabase/supabase-js');
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { params: { eventsPerSecond: 10 } },
    global: { fetch: fetchWith },
  });
}

async function store(client: SupabaseClient, quote: Quote): Promise<boolean> {
  const { data, error } = await client
    .from('quotes')
    .upsert(quote, { onConflict: 'id', ignoreDuplicates: true })
    .select('id');
  if (error) throw new Error(`The quote could not be stored: ${error.message}`);
  return data.length > 0;
}

/** Page by page from the time of the last row seen: what arrives meanwhile shifts nothing, as it would with an offset. */
async function readAll(client: SupabaseClient, { since, folio }: Wanted): Promise<Lead[]> {
  const leads = new Map<string, Lead>();
  let from = since?.toISOString();
  for (;;) {
    // More of them than a page may be of one moment: then an offset goes on from there.
    const ofThatMoment = [...leads.values()].filter(({ created_at }) => created_at === from).length;
    let query = client.from('quotes').select('*').order('created_at').order('id').limit(PAGE);
    if (from) query = query.gte('created_at', from);
    if (folio) query = query.eq('folio', folio);
    if (ofThatMoment >= PAGE) query = query.range(ofThatMoment, ofThatMoment + PAGE - 1);
    const { data, error } = await query.overrideTypes<Lead[], { merge: false }>();
    if (error) throw new Error(`The quotes could not be read: ${error.message}`);
    const known = leads.size;
    for (const lead of data) leads.set(lead.id, lead);
    if (data.length < PAGE || leads.size === known) return [...leads.values()];
    from = data.at(-1)!.created_at;
  }
}
