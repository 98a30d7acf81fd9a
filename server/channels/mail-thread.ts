import { parentPort } from 'node:worker_threads';
import { readMail } from './incoming-mail.ts';

interface ParseRequest {
  readonly source: Uint8Array;
  readonly isPartial: boolean;
}

// A thread of its own reads the mails: a harmful mail may keep the parser busy for ever, and a thread can then be
// ended.
parentPort!.on('message', ({ source, isPartial }: ParseRequest) => {
  readMail(Buffer.from(source), isPartial).then(
    (mail) => parentPort!.postMessage({ mail }),
    () => parentPort!.postMessage({}),
  );
});
