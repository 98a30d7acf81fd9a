import type { SupabaseClient } from '@supabase/supabase-js';
import { readRenamed } from '../../build/setting-names.ts';
import { CLIENT_OPTIONS, fetchWithKey } from '../../src/lead/api-key.ts';
import type { Bilingual } from '../../src/content/bilingual.ts';
import { OperatorError } from '../language.ts';
import { requireDatabase, requireFree } from '../database/data-directory.ts';
import { plainFetch, type Fetch } from '../plain-fetch.ts';
import { readSettings, type Settings } from '../settings.ts';
import { findRunningServer, throughDirectoryOrServer } from './running-server.ts';

/** Access to the stored data with the service key, which may read everything. */
export interface Access {
  readonly place: 'hosted' | 'own PostgreSQL' | 'data directory' | 'running server';
  /** Finds the server's address and makes a key again for each request, because a restart may change the address. */
  readonly reach: () => Promise<Endpoint>;
  readonly client: () => Promise<SupabaseClient>;
  readonly close: () => Promise<void>;
}

interface Endpoint {
  readonly address: string;
  readonly key: string;
  readonly fetch: Fetch;
}

interface AccessErrors {
  readonly noKey: Bilingual;
  /** Error message for a missing database. Absent if the command creates the data directory. */
  readonly noDatabase?: Bilingual | undefined;
}

/** Reads settings and service key. The address of a hosted project may also be in SUPABASE_URL, its usual name. */
export function readCommandSettings() {
  const { SUPABASE_URL, VITE_SUPABASE_URL } = process.env;
  const settings = readSettings({ ...process.env, VITE_SUPABASE_URL: VITE_SUPABASE_URL || SUPABASE_URL });
  return [settings, readRenamed('SUPABASE_SECRET_KEY', process.env)] as const;
}

/**
 * Opens the data where they are stored: hosted Supabase, PostgreSQL, or the data directory. If a server has locked the
 * data directory, works through that server.
 */
export async function openAccess(
  settings: Settings,
  secretKey: string | undefined,
  { noKey, noDatabase }: AccessErrors,
): Promise<Access> {
  const { hosted, database, dataDir } = settings;
  if (hosted) return hostedAccess(hosted, secretKey, noKey);
  if (database) return insideAccess(settings);
  if (noDatabase) requireDatabase(dataDir, noDatabase);
  const throughDirectory = async () => {
    // The lock is checked before the modules of the database are loaded: if a server has the lock, they are not needed.
    requireFree(dataDir);
    return insideAccess(settings);
  };
  const throughServer = async () => {
    await findRunningServer(settings);
    return runningAccess(settings);
  };
  return throughDirectoryOrServer(dataDir, throughDirectory, throughServer);
}

export function hostedAccess(address: string, key: string | undefined, noKey: Bilingual): Access {
  if (!key) throw new OperatorError(noKey);
  return accessOf('hosted', async () => ({ address, key, fetch: plainFetch }));
}

export function runningAccess(settings: Settings): Access {
  return accessOf('running server', async () => ({ ...(await findRunningServer(settings)), fetch: plainFetch }));
}

export async function insideAccess(settings: Settings): Promise<Access> {
  // The backend is loaded late, because most commands need no database in their process.
  const { openBackend } = await import('../backend.ts');
  const backend = await openBackend(settings);
  const fetchInside: Fetch = (input, init) => backend.answer(new Request(input, init), '');
  return accessOf(
    settings.database ? 'own PostgreSQL' : 'data directory',
    async () => ({ address: 'http://localhost', key: await backend.serviceKey(), fetch: fetchInside }),
    () => backend.close(),
  );
}

function accessOf(place: Access['place'], reach: Access['reach'], close: Access['close'] = async () => {}): Access {
  const client = async () => {
    const { address, key, fetch: fetchWith } = await reach();
    // The client is loaded late, because --help does not need it.
    const { createClient } = await import('@supabase/supabase-js');
    return createClient(address, key, {
      ...CLIENT_OPTIONS,
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: fetchWithKey(key, fetchWith) },
    });
  };
  return { place, reach, client, close };
}
