import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { SupabaseClient } from '@supabase/supabase-js';
import type { Columns } from '../src/quote/fields.ts';
import { openBackend } from './backend.ts';
import { announcedAddress, databaseFolderIn, DirectoryInUse, readSecret } from './data-directory.ts';
import { createGate } from './rest/identity.ts';
import type { Settings } from './settings.ts';

/** A stored quote, as the sales side reads it. */
export interface Lead extends Columns {
  readonly id: string;
  readonly created_at: string;
  readonly folio: string;
}

export interface Wanted {
  readonly since?: Date | undefined;
  readonly folio?: string | undefined;
}

export interface Leads {
  /** Every lead that is wanted, oldest first. */
  list(wanted: Wanted): Promise<Lead[]>;
  /** False when nothing can arrive, because the database is only open for this reading. */
  readonly live: boolean;
  close(): Promise<void>;
}

const PAGE = 1000;
const START_UP_PATIENCE_MS = 15_000;

/** The leads of hosted Supabase, of the running server, or of the data directory nobody has open. */
export async function openLeads(settings: Settings, serviceRoleKey: string | undefined): Promise<Leads> {
  if (settings.hosted) {
    if (!serviceRoleKey) throw new Error('Quotes go to hosted Supabase: set SUPABASE_SERVICE_ROLE_KEY to read them.');
    const client = await connect(settings.hosted, serviceRoleKey);
    return { live: true, list: (wanted) => readAll(client, wanted), close: async () => {} };
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
  const client = await connect('http://localhost', backend.serviceKey, (input, init) =>
    backend.answer(new Request(input, init), ''),
  );
  return { live: false, list: (wanted) => readAll(client, wanted), close: () => backend.close() };
}

async function askRunning({ dataDir, anonKey }: Settings): Promise<Leads> {
  const deadline = Date.now() + START_UP_PATIENCE_MS;
  while (!announcedAddress(dataDir)) {
    if (Date.now() > deadline)
      throw new Error(`Another process is using ${dataDir}, but it is not a running AeroPuente server.`);
    await wait(200);
  }
  const secret = readSecret(dataDir);
  if (!secret) throw new Error(`The key of the running server is not in ${dataDir}.`);
  const key = await createGate({ anonKey, secret }).serviceKey();
  return {
    live: true,
    // Looked up each time: a server that was restarted may be somewhere else.
    list: async (wanted) => {
      const address = announcedAddress(dataDir);
      if (!address) throw new Error('The AeroPuente server is not running.');
      return readAll(await connect(address, key), wanted);
    },
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

/** Page by page from the last row seen: what arrives meanwhile shifts nothing, as it would with an offset. */
async function readAll(client: SupabaseClient, { since, folio }: Wanted): Promise<Lead[]> {
  const leads: Lead[] = [];
  for (;;) {
    let query = client.from('quotes').select('*').order('created_at').order('id').limit(PAGE);
    if (since) query = query.gte('created_at', since.toISOString());
    if (folio) query = query.eq('folio', folio);
    const last = leads.at(-1);
    if (last)
      query = query.or(`created_at.gt."${last.created_at}",and(created_at.eq."${last.created_at}",id.gt.${last.id})`);
    const { data, error } = await query.overrideTypes<Lead[], { merge: false }>();
    if (error) throw new Error(`The quotes could not be read: ${error.message}`);
    leads.push(...data);
    if (data.length < PAGE) return leads;
  }
}
