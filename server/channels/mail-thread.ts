import { parentPort } from 'node:worker_threads';
import { readMail } from './incoming-mail.ts';

/** Request of mail-parser.ts. */
interface ParseRequest {
  readonly source: Uint8Array;
  readonly isPartial: boolean;
}

// Reads mails in a thread, because a thread can be ended: a mail may be built to keep a parser busy.
parentPort!.on('message', ({ source, isPartial }: ParseRequest) => {
  readMail(Buffer.from(source), isPartial).then(
    (mail) => parentPort!.postMessage({ mail }),
    () => parentPort!.postMessage({}),
  );
});
