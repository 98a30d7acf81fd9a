import type { Bilingual } from '../../src/content/bilingual.ts';
import { alertWords, collectedWords } from '../../src/content/alerts.ts';
import { isCollected, isForPhone, type AlertKind, type AlertWay } from '../../src/lead/vocabulary.ts';

// All files of server/alerts/ except embedded.ts run in Node and in an Edge Function of a hosted project, without node:
// modules.

/** Alert for a device, for the team's mailbox, or for a customer by mail. */
export interface Message {
  readonly message_id: string;
  readonly way: AlertWay;
  /** Null for mail, and after the device is gone; so are the next two. */
  readonly endpoint: string | null;
  readonly p256dh: string | null;
  readonly auth: string | null;
  readonly kind: AlertKind;
  /** Empty for a test, and for several leads. */
  readonly folio: string;
  /** Secret, because it opens the quote. */
  readonly quote_id: string;
  readonly promised_at: string;
  readonly attempts: number;
  readonly leads: number;
  /** Number for the icon: leads that wait for the owner of the device. Null for mail. */
  readonly badge?: number | null;
  readonly customer?: CustomerMail | null;
}

/** Row of private.customer_mail: address, and answer in the form for phones. */
interface CustomerMail {
  readonly email: string;
  readonly nombre: string;
  readonly closing: string | null;
  readonly answer: unknown;
}

interface AlertText {
  readonly text: Bilingual;
  /** Address of the lead, or of the visitor's quotes, on the site. */
  readonly link: string;
}

export function textOf({ kind, folio, leads }: Pick<Message, 'kind' | 'folio' | 'leads'>, site: string): AlertText {
  return {
    text: leads > 1 && isCollected(kind) ? collectedWords[kind](leads) : alertWords[kind](folio),
    link: new URL(isForPhone(kind) ? '/#mis-cotizaciones' : `/mesa.html#${folio}`, site).href,
  };
}

/** Outcome of an attempt. `again`: repeat after a given time, otherwise by back-off. */
export type Outcome =
  | { readonly kind: 'sent' | 'gone' | 'failed'; readonly why?: string }
  | { readonly kind: 'again'; readonly after?: number; readonly why: string };

/** Sender of messages by one way. Resolves with `again` while the way is down. */
export type Channel = (message: Message, now: number) => Promise<Outcome>;

export type Channels = Readonly<Partial<Record<AlertWay, Channel>>>;
