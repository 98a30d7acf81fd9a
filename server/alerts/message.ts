import type { Bilingual } from '../../src/content/bilingual.ts';
import { alertWords, collectedWords } from '../../src/content/alerts.ts';
import { isCollected, isForPhone, type AlertKind, type AlertWay } from '../../src/lead/vocabulary.ts';

// All of server/alerts/ but embedded.ts runs in Node and in an Edge Function of a hosted project: it uses what both
// have, and nothing of node:.

/** One alert on its way to a device, to the mailbox of the team, or to a customer by mail. */
export interface Message {
  readonly message_id: string;
  readonly way: AlertWay;
  /** Null where the device is gone meanwhile, as the next two, and for mail. */
  readonly endpoint: string | null;
  readonly p256dh: string | null;
  readonly auth: string | null;
  readonly kind: AlertKind;
  /** Empty for a test, which is of no lead, and for several leads. */
  readonly folio: string;
  /** Never said to anybody: it opens the quote. */
  readonly quote_id: string;
  /** When the lead's answer is promised. */
  readonly promised_at: string;
  readonly attempts: number;
  /** Leads that it is about: several for a collected alert. */
  readonly leads: number;
  /** Number for the icon: what waits for the owner of the device. Null for mail. */
  readonly badge?: number | null;
  /** Content of a mail to a customer; null on the other ways. */
  readonly customer?: CustomerMail | null;
}

/** Row of private.customer_mail: the address, and the answer as a phone reads it. */
interface CustomerMail {
  readonly email: string;
  readonly nombre: string;
  /** Last closing of the quote's link. */
  readonly closing: string | null;
  readonly answer: unknown;
}

export interface Told {
  readonly says: Bilingual;
  /** The address of its subject, on the site. */
  readonly link: string;
}

/** The site's own pages find a quote by its folio. `site`: the address under which it is published. */
export function tell({ kind, folio, leads }: Pick<Message, 'kind' | 'folio' | 'leads'>, site: string): Told {
  return {
    says: leads > 1 && isCollected(kind) ? collectedWords[kind](leads) : alertWords[kind](folio),
    link: new URL(isForPhone(kind) ? '/#mis-cotizaciones' : `/mesa.html#${folio}`, site).href,
  };
}

/** How a try ended. `again`: later, or, where the wait is unknown, by the usual back-off. */
export type Outcome =
  | { readonly kind: 'sent' | 'gone' | 'failed'; readonly why?: string }
  | { readonly kind: 'again'; readonly after?: number; readonly why: string };

/** Road of a message. A road that is down says `again`. */
export type Channel = (message: Message, now: number) => Promise<Outcome>;

export type Channels = Readonly<Partial<Record<AlertWay, Channel>>>;
