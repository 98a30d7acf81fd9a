import { parentPort } from 'node:worker_threads';
import { readMail } from './incoming-mail.ts';

interface ParseRequest {
  readonly source: Uint8Array;
  readonly isPartial: boolean;
}

// Mails are read in a thread, because a mail may be made to keep a parser busy, and a thread can be ended.
parentPort!.on('message', ({ source, isPartial }: ParseRequest) => {
  readMail(Buffer.from(source), isPartial).then(
    (mail) => parentPort!.postMessage({ mail }),
    () => parentPort!.postMessage({}),
  );
});
