import { createHookHandler, workHooks, type HookStore } from './hooks.ts';
import type { AlertSettings } from '../../alerts/settings.ts';
import { plainFetch } from '../../plain-fetch.ts';
import type { Database } from '../../database/database.ts';

/** Milliseconds between two searches for webhooks that an earlier process stored, or that could not be processed. */
const LOOK_EVERY = 15_000;

/** Receives the webhooks of WhatsApp, and processes them one after another. Returns undefined if WhatsApp is off. */
export function createWhatsApp(database: Pick<Database, 'transaction'>, alerts: AlertSettings | undefined) {
  const settings = alerts?.whatsapp;
  if (!settings) return undefined;
  const store = hooksIn(database);
  let timer: ReturnType<typeof setInterval> | undefined;
  const stopping = new AbortController();
  const { signal } = stopping;
  let working = Promise.resolve();
  let isWaiting = false;
  function work(): void {
    // A run that is scheduled, but has not begun, will process the new webhooks too.
    if (isWaiting) return;
    isWaiting = true;
    working = working.then(async () => {
      isWaiting = false;
      try {
        await workHooks({ store, settings: settings!, fetch: plainFetch, signal });
      } catch (error) {
        console.error(`Webhooks of WhatsApp could not be processed: ${(error as Error).message}. Trying again.`);
      }
    });
  }
  return {
    answer: createHookHandler(settings, store, work),
    start(): void {
      timer ??= setInterval(work, LOOK_EVERY);
      work();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      stopping.abort();
      await working;
    },
  };
}

/** Stores WhatsApp's webhooks in the database, and returns them later for processing. */
export function hooksIn(database: Pick<Database, 'transaction'>): HookStore {
  return {
    async store(raw) {
      await database.transaction([{ sql: 'select public.store_whatsapp_hook($1)', parameters: [raw] }]);
    },
    claim: (at) => database.transaction([{ sql: 'select * from public.claim_whatsapp_hooks($1)', parameters: [at] }]),
    async finish(id, at, items) {
      const parameters = [id, at, JSON.stringify(items)];
      const [row] = await database.transaction<{ failures: number }>([
        { sql: 'select public.finish_whatsapp_hook($1, $2, $3::jsonb) as failures', parameters },
      ]);
      return row!.failures;
    },
    claimMedia: (at) =>
      database.transaction([{ sql: 'select * from public.claim_whatsapp_media($1)', parameters: [at] }]),
    async finishMedia(...parameters) {
      await database.transaction([{ sql: 'select public.finish_whatsapp_media($1, $2, $3, $4)', parameters }]);
    },
  };
}
