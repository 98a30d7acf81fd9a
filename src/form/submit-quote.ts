import { formFailures } from '../content/failures.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { storeNewQuote } from '../outbox/store-new-quote.ts';
import { withWaitingMark } from '../phone/quote-marks.ts';
import type { SendEnding } from './send-quote.ts';

/** Longest time in milliseconds for which the form stays busy with sending a stored quote. */
const BUSY_AT_MOST = 5000;

interface About {
  readonly corrects: boolean;
  readonly replaced?: string | undefined;
}

interface Means {
  readonly loadSendQuote: () => Promise<typeof import('./send-quote.ts')>;
  readonly onStored: (entry: Entry) => void;
  /** Called if the quote could not be stored, before it is sent. */
  readonly onStoreFailed: () => void;
}

export async function submitQuote(quote: Quote, about: About, means: Means): Promise<SendEnding> {
  const until = Date.now() + BUSY_AT_MOST;
  const entry = await withWaitingMark(() => storeQuote(quote, about, means)).catch(() => undefined);
  const loadWithin = (time: number) => Promise.race([means.loadSendQuote(), after(time)]);
  if (!entry) {
    means.onStoreFailed();
    const sending = await loadWithin(BUSY_AT_MOST);
    return sending?.sendUnstored(quote, about.replaced) ?? { kind: 'unsaved', text: formFailures.connection };
  }
  if (entry.state.kind === 'refused') return (await means.loadSendQuote()).refused(entry.state.refusal);
  means.onStored(entry);
  const left = () => Math.max(until - Date.now(), 0);
  const sending = await loadWithin(left());
  return sending ? sending.sendStored(entry, left()) : { kind: 'stored', id: entry.id, accessDenied: false };
}

/**
 * Stores the quote. A new quote is stored even before the code of the outbox has loaded. A correction, or a quote whose
 * id is already on disk, needs the outbox, which decides which version is kept.
 */
async function storeQuote(quote: Quote, about: About, { loadSendQuote }: Means): Promise<Entry> {
  if (!about.corrects && !about.replaced)
    try {
      return await storeNewQuote(quote);
    } catch (error) {
      if ((error as DOMException).name !== 'ConstraintError') throw error;
    }
  return (await loadSendQuote()).outbox.add(quote, about);
}

const after = (milliseconds: number) =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds));
