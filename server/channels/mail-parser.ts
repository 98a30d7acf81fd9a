import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { IncomingMail } from './incoming-mail.ts';

/** Maximum number of milliseconds for reading one mail. */
const PATIENCE = 20_000;
/** Memory limit of the thread, enough for one mail of the largest size with its decoded attachments. */
const LIMITS = { maxOldGenerationSizeMb: 256 };

/** Parser of mails in a thread of its own. Reads one mail at a time. */
export function createMailParser() {
  let worker: Worker | undefined;
  const start = () => {
    const started = new Worker(new URL('mail-thread.ts', import.meta.url), { resourceLimits: LIMITS });
    // Without this listener an error of the thread would end the process.
    return started.on('error', () => undefined);
  };
  const end = async () => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  return {
    /** Resolves with undefined if the mail is broken or takes too long. */
    async parse(source: Buffer, isPartial: boolean, patience = PATIENCE): Promise<IncomingMail | undefined> {
      const thread = (worker ??= start());
      const over = new AbortController();
      try {
        const answer = Promise.race([
          once(thread, 'message', { signal: over.signal }),
          once(thread, 'exit', { signal: over.signal }).then(() => undefined),
          wait(patience, undefined, { signal: over.signal }),
        ]);
        thread.postMessage({ source, isPartial });
        const [reply] = ((await answer) ?? []) as [{ mail?: IncomingMail }?];
        if (!reply) await end();
        return reply?.mail;
      } catch {
        await end();
        return undefined;
      } finally {
        over.abort();
      }
    },
    end,
  };
}
