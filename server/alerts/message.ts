import type { Bilingual } from '../../src/content/bilingual.ts';
import { alertWords, collectedWords } from '../../src/content/alerts.ts';
import { isCollected, isForPhone, type AlertKind, type AlertWay } from '../../src/lead/vocabulary.ts';

// All files of server/alerts/ except embedded.ts also run in an Edge Function of a hosted project, so they import no
// module of node:.

export interface Message {
  readonly message_id: string;
  readonly way: AlertWay;
  /** Address of the device at its push service. Like the two keys, null for mail and for a removed device. */
  readonly endpoint: string | null;
  readonly p256dh: string | null;
  readonly auth: string | null;
  readonly kind: AlertKind;
  readonly folio: string;
  /** Id of the quote, a secret: whoever has it can open the quote. */
  readonly quote_id: string;
  readonly promised_at: string;
  readonly attempts: number;
  readonly leads: number;
  /** Number on the app's icon: leads that wait for the owner of the device. Null for mail. */
  readonly badge?: number | null;
  readonly customer?: CustomerMail | null;
}

interface CustomerMail {
  readonly email: string;
  readonly nombre: string;
  readonly closing: string | null;
  readonly answer: unknown;
}

interface AlertText {
  readonly text: Bilingual;
  readonly link: string;
}

export function textOf({ kind, folio, leads }: Pick<Message, 'kind' | 'folio' | 'leads'>, site: string): AlertText {
  return {
    text: leads > 1 && isCollected(kind) ? collectedWords[kind](leads) : alertWords[kind](folio),
    link: new URL(isForPhone(kind) ? '/#mis-cotizaciones' : `/mesa.html#${folio}`, site).href,
  };
}

/** Outcome of an attempt. `again` means another attempt: after the given time, or by back-off. */
export type Outcome =
  | { readonly kind: 'sent' | 'gone' | 'failed'; readonly why?: string }
  | { readonly kind: 'again'; readonly after?: number; readonly why: string };

export type Channel = (message: Message, now: number) => Promise<Outcome>;

export type Channels = Readonly<Partial<Record<AlertWay, Channel>>>;
