// Connection of the functions to their hosted project.
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { readSecretKey } from '../../server/alerts/keys.ts';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import type { HookStore } from '../../server/channels/whatsapp/hooks.ts';
import { CLIENT_OPTIONS, fetchWithKey } from '../../src/lead/api-key.ts';

declare const Deno: { readonly env: { toObject(): Record<string, string> } };

type Rows = <Row>(asked: PromiseLike<{ data: unknown; error: Error | null }>) => Promise<Row[]>;

export function openProject() {
  const environment = Deno.env.toObject();
  const site = environment['VITE_SITE_URL'];
  if (!site) throw new Error('VITE_SITE_URL must be set: alerts lead to the site.');
  const key = readSecretKey(environment);
  const client = createClient(environment['SUPABASE_URL']!, key, {
    ...CLIENT_OPTIONS,
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: fetchWithKey(key, fetch) },
  });
  const rows: Rows = async <Row>(asked: PromiseLike<{ data: unknown; error: Error | null }>) => {
    const { data, error } = await asked;
    if (error) throw error;
    return (data ?? []) as Row[];
  };
  return { environment, site, settings: readAlertSettings(environment), client, rows };
}

/** Store of WhatsApp's webhooks, in the project's database. */
export function hooksOf(rows: Rows, client: Pick<SupabaseClient, 'rpc'>): HookStore {
  const call = <Row>(name: string, parameters: object) => rows<Row>(client.rpc(name, parameters));
  return {
    async store(raw) {
      await call('store_whatsapp_hook', { raw });
    },
    claim: (at) => call('claim_whatsapp_hooks', { at: at.toISOString() }),
    async finish(hook, at, items) {
      // PostgREST returns the function's single result as a bare number, without a row around it.
      const failures: unknown = await call('finish_whatsapp_hook', { hook, at: at.toISOString(), items });
      return Number(failures);
    },
    claimMedia: (at) => call('claim_whatsapp_media', { at: at.toISOString() }),
    async finishMedia(media, at, base64, againAt) {
      const again_at = againAt?.toISOString() ?? null;
      await call('finish_whatsapp_media', { media, at: at.toISOString(), base64, again_at });
    },
  };
}
