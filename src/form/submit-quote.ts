import { formFailures } from '../content/failures.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { storeNewQuote } from '../outbox/store-new-quote.ts';
import { marked } from '../phone/waiting-mark.ts';
import type { SendEnding } from './sending.ts';

/** Milliseconds that a form is busy with a kept quote, at most. */
const BUSY_AT_MOST = 5000;

interface About {
  readonly corrects: boolean;
  readonly replaced?: string | undefined;
}

interface Means {
  /** Resolves with the code that sends, which loads after the form. */
  readonly bringSending: () => Promise<typeof import('./sending.ts')>;
  /** Called as soon as the quote is on disk. */
  readonly onKept: (entry: Entry) => void;
  /** Called before the quote is sent without being kept. */
  readonly onUnkept: () => void;
}

/** To disk, then to the server. */
export async function submitQuote(quote: Quote, about: About, means: Means): Promise<SendEnding> {
  const until = Date.now() + BUSY_AT_MOST;
  const entry = await marked(() => keep(quote, about, means)).catch(() => undefined);
  const bringWithin = (time: number) => Promise.race([means.bringSending(), passed(time)]);
  if (!entry) {
    means.onUnkept();
    const sending = await bringWithin(BUSY_AT_MOST);
    return sending?.sendUnkept(quote, about.replaced) ?? { kind: 'unsaved', text: formFailures.connection };
  }
  if (entry.state.kind === 'refused') return (await means.bringSending()).refused(entry.state.refusal);
  means.onKept(entry);
  const left = () => Math.max(until - Date.now(), 0);
  const sending = await bringWithin(left());
  return sending ? sending.follow(entry, left()) : { kind: 'kept', id: entry.id, accessDenied: false };
}

/** Writes the quote to disk. If its id may be there already, the outbox decides, which loads later than the form. */
async function keep(quote: Quote, about: About, { bringSending }: Means): Promise<Entry> {
  if (!about.corrects && !about.replaced)
    try {
      return await storeNewQuote(quote);
    } catch (error) {
      if ((error as DOMException).name !== 'ConstraintError') throw error;
    }
  return (await bringSending()).outbox.add(quote, about);
}

const passed = (milliseconds: number) =>
  new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), milliseconds));
