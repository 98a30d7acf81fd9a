import type { SupabaseClient } from '@supabase/supabase-js';
import { readRenamed } from '../../build/setting-names.ts';
import { CLIENT_OPTIONS, fetchWithKey } from '../../src/lead/api-key.ts';
import { requireDatabase, requireFree } from '../database/data-directory.ts';
import { plainFetch, type Fetch } from '../plain-fetch.ts';
import { readSettings, type Settings } from '../settings.ts';
import { findRunningServer, throughDirectoryOrServer } from './running-server.ts';

/** The way to the quotes, with the key that reads everything. */
export interface Access {
  readonly place: 'hosted' | 'own PostgreSQL' | 'data directory' | 'running server';
  /** Asked for each time: a server that was restarted may be somewhere else. */
  readonly reach: () => Promise<Reached>;
  readonly client: () => Promise<SupabaseClient>;
  readonly close: () => Promise<void>;
}

interface Reached {
  readonly address: string;
  readonly key: string;
  readonly fetch: Fetch;
}

/** The sentences of a command for what is missing. */
interface Says {
  readonly noKey: string;
  /** Where this command does not make the data directory. */
  readonly nothingThere?: string | undefined;
}

/** The settings of a command, which knows a hosted project by its usual name too, and the key to it. */
export function readCommandSettings() {
  const { SUPABASE_URL, VITE_SUPABASE_URL } = process.env;
  const settings = readSettings({ ...process.env, VITE_SUPABASE_URL: VITE_SUPABASE_URL || SUPABASE_URL });
  return [settings, readRenamed('SUPABASE_SECRET_KEY', process.env)] as const;
}

/** To hosted Supabase, a PostgreSQL of one's own, the running server, or the directory that nobody has open. */
export async function openAccess(settings: Settings, secretKey: string | undefined, says: Says): Promise<Access> {
  const { hosted, database, dataDir } = settings;
  if (hosted) return hostedAccess(hosted, secretKey, says.noKey);
  if (database) return insideAccess(settings);
  if (says.nothingThere) requireDatabase(dataDir, says.nothingThere);
  const inside = async () => {
    // Before all that serves a database is read.
    requireFree(dataDir);
    return insideAccess(settings);
  };
  const running = async () => {
    await findRunningServer(settings);
    return runningAccess(settings);
  };
  return throughDirectoryOrServer(dataDir, inside, running);
}

export function hostedAccess(address: string, key: string | undefined, noKey: string): Access {
  if (!key) throw new Error(noKey);
  return accessOf('hosted', async () => ({ address, key, fetch: plainFetch }));
}

export function runningAccess(settings: Settings): Access {
  return accessOf('running server', async () => ({ ...(await findRunningServer(settings)), fetch: plainFetch }));
}

export async function insideAccess(settings: Settings): Promise<Access> {
  // All that serves a database is read only where this process has to open one.
  const { openBackend } = await import('../backend.ts');
  const backend = await openBackend(settings);
  const answer: Fetch = (input, init) => backend.answer(new Request(input, init), '');
  return accessOf(
    settings.database ? 'own PostgreSQL' : 'data directory',
    async () => ({ address: 'http://localhost', key: await backend.serviceKey(), fetch: answer }),
    () => backend.close(),
  );
}

function accessOf(place: Access['place'], reach: Access['reach'], close: Access['close'] = async () => {}): Access {
  const client = async () => {
    const { address, key, fetch: fetchWith } = await reach();
    // As with the backend: who only wants its help needs no client.
    const { createClient } = await import('@supabase/supabase-js');
    return createClient(address, key, {
      ...CLIENT_OPTIONS,
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      global: { fetch: fetchWithKey(key, fetchWith) },
    });
  };
  return { place, reach, client, close };
}
