import { hooksIn } from './alerts/embedded.ts';
import { createHookHandler, workHooks } from './alerts/whatsapp-hooks.ts';
import type { AlertSettings } from './alerts/settings.ts';
import { plainFetch } from './plain-fetch.ts';
import type { Database } from './database/database.ts';

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
    // A round that has not begun yet will process the new webhooks too.
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
