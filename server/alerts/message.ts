import type { Bilingual } from '../../src/content/bilingual.ts';
import { alertWords, collectedWords } from '../../src/content/alerts.ts';
import type { Step } from '../../src/lead/shipment.ts';
import { isCollected, isForCustomer, type AlertKind, type AlertWay } from '../../src/lead/vocabulary.ts';

// This file, like all files of server/alerts/ except embedded.ts, also runs in an Edge Function of a hosted project, so
// it imports no module of node:.

export interface AlertMessage {
  readonly message_id: string;
  readonly way: AlertWay;
  /** Address of the device at its push service. Like `p256dh` and `auth`, null for mail and for a removed device. */
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
  /**
   * Number on the icon of the installed app: leads that wait for a colleague, or answers that a customer has not seen.
   * Null for mail.
   */
  readonly badge?: number | null;
  readonly customer?: Customer | null;
}

/**
 * Receiver and content of a message to a customer. `email` is set for mail; `number`, `user`, `window_until` and
 * `is_template` are set for WhatsApp.
 */
interface Customer {
  readonly email?: string;
  /** Phone number with + and country code. */
  readonly number?: string | null;
  /** WhatsApp's id of the user for this business, if the user hides the number. */
  readonly user?: string | null;
  /** End of the time in which WhatsApp allows free text, a day after the customer's last message. */
  readonly window_until?: string | null;
  /** True if WhatsApp refused free text, so that a template must be sent. */
  readonly is_template?: boolean;
  readonly nombre: string;
  readonly closing: string | null;
  readonly answer: unknown;
  /** Milestones that an earlier message reported to the customer, and that the team has cancelled since. */
  readonly corrected?: readonly Step[] | null;
}

interface AlertText {
  readonly text: Bilingual;
  readonly link: string;
}

export function textOf(
  { kind, folio, leads }: Pick<AlertMessage, 'kind' | 'folio' | 'leads'>,
  site: string,
): AlertText {
  return {
    text: leads > 1 && isCollected(kind) ? collectedWords[kind](leads) : alertWords[kind](folio),
    link: new URL(isForCustomer(kind) ? '/#mis-cotizaciones' : `/mesa.html#${folio}`, site).href,
  };
}

/**
 * Outcome of an attempt. `again`: the message is sent again, after the given time or after a pause that doubles with
 * each attempt. Three outcomes exist only for WhatsApp. `unsure`: the message may have been sent. `template`: only a
 * template may be sent. `rest`: WhatsApp takes no message until the team acts.
 */
export type Outcome = { readonly code?: number; readonly externalId?: string } & (
  | { readonly kind: 'sent' | 'gone' | 'failed' | 'unsure' | 'template'; readonly why?: string }
  | { readonly kind: 'again' | 'rest'; readonly after?: number; readonly why: string }
);

export type Messenger = (message: AlertMessage, now: number) => Promise<Outcome>;

export type Messengers = Readonly<Partial<Record<AlertWay, Messenger>>>;
