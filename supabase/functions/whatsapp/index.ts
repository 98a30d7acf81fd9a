// Receives the webhooks of WhatsApp for a hosted project, with the modules of the embedded server.
import { createHookHandler, workHooks } from '../../../server/channels/whatsapp/hooks.ts';
import { hooksOf, openProject } from '../project.ts';

declare const Deno: { serve(answer: (request: Request) => Promise<Response>): void };
/** Global of Supabase's runtime, missing elsewhere. `waitUntil` keeps the function alive until the work is done. */
declare const EdgeRuntime: { waitUntil(work: Promise<unknown>): void } | undefined;

const { settings, client, rows } = openProject();
const { whatsapp } = settings;
const store = hooksOf(rows, client);

function work(): void {
  const working = workHooks({ store, settings: whatsapp!, fetch }).catch((error: unknown) => {
    // The webhooks are not lost: the function "alert" processes them at its next call, within 30 seconds.
    console.error(`Webhooks of WhatsApp could not be processed: ${(error as Error).message}`);
  });
  if (typeof EdgeRuntime !== 'undefined') EdgeRuntime.waitUntil(working);
}

const answer = whatsapp && createHookHandler(whatsapp, store, work);
Deno.serve(async (request) => answer?.(request) ?? new Response('WhatsApp is not set up', { status: 404 }));
