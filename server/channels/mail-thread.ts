import { parentPort } from 'node:worker_threads';
import { readMail } from './incoming-mail.ts';

interface ParseRequest {
  readonly source: Uint8Array;
  readonly isPartial: boolean;
}

// Mails are read in a thread of their own, because a harmful mail may keep the parser busy for ever. The server then
// ends the thread and starts another.
parentPort!.on('message', ({ source, isPartial }: ParseRequest) => {
  readMail(Buffer.from(source), isPartial).then(
    (mail) => parentPort!.postMessage({ mail }),
    () => parentPort!.postMessage({}),
  );
});
