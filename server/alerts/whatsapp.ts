import { LINK_ADDRESS } from '../../src/agreements.ts';
import { customerMail } from '../../src/content/customer-mail.ts';
import { customerWhatsApp as words } from '../../src/content/customer-whatsapp.ts';
import { answerFromRow } from '../../src/lead/answer.ts';
import { linkCode } from '../../src/lead/quote-link.ts';
import { isRecord } from '../../src/lead/validation.ts';
import { consequenceOf } from '../../src/lead/whatsapp-codes.ts';
import { linesOf, partsOf, type Part } from './customer-mail.ts';
import type { Messenger, AlertMessage, Outcome } from './message.ts';
import type { WhatsAppSettings } from './settings.ts';

const TIME_OUT = 20_000;
/** Maximum number of characters of a text message. */
const LONGEST = 4096;
/** Safety margin: no free text is sent in the last minute in which WhatsApp allows it. */
const WINDOW_MARGIN = 60_000;

export type Fetch = (address: string, request: RequestInit) => Promise<Response>;

/**
 * Sends a customer an offer, a question, a message, or the outcome of an offer: as free text within a day after the
 * customer's last message, otherwise as an approved template.
 */
export const whatsApp =
  (settings: WhatsAppSettings, site: () => string, fetch: Fetch): Messenger =>
  async (message, now) => {
    const { customer, message_id, attempts } = message;
    const body = await contentOf(message, settings, site(), now);
    if (!customer || !body) return { kind: 'failed', why: 'the answer cannot be read' };
    const receiver = customer.number ? { to: customer.number } : { recipient: customer.user };
    try {
      const response = await fetch(`${settings.api}/${settings.phoneId}/messages`, {
        method: 'POST',
        headers: { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'whatsapp',
          recipient_type: 'individual',
          ...receiver,
          ...body,
          // Id of this attempt. WhatsApp repeats the id when it reports on the message, even if the answer to this
          // request was lost.
          biz_opaque_callback_data: `${message_id}.${attempts}`,
        }),
        redirect: 'error',
        signal: AbortSignal.timeout(TIME_OUT),
      });
      return outcomeOf(await response.json().catch(() => undefined), response.status, attempts);
    } catch (error) {
      // A repeated request would send the message twice. Only a request that certainly did not reach WhatsApp is sent
      // again.
      return wasNotSent(error) ? { kind: 'again', why: 'not reached' } : { kind: 'unsure', why: 'the answer was lost' };
    }
  };

/** Returns the outcome for an error code of WhatsApp, in the answer to a request or in a webhook. */
export function outcomeOfCode(code: number, attempts: number): Outcome {
  const { act, after } = consequenceOf(code);
  const why = String(code);
  const wait = after?.(attempts);
  if (act === 'final') return { kind: 'failed', why, code };
  if (act === 'template') return { kind: 'template', why, code };
  return { kind: act, why, code, ...(wait !== undefined && { after: wait }) };
}

function outcomeOf(answer: unknown, status: number, attempts: number): Outcome {
  const { error, messages } = isRecord(answer) ? answer : {};
  if (isRecord(error) && typeof error['code'] === 'number') return outcomeOfCode(error['code'], attempts);
  const [sent] = Array.isArray(messages) ? (messages as unknown[]) : [];
  if (status === 200 && isRecord(sent) && typeof sent['id'] === 'string')
    return { kind: 'sent', why: 'accepted', externalId: sent['id'] };
  // An answer in an unknown form may come from a proxy. WhatsApp may nevertheless have received the message.
  return { kind: 'unsure', why: `answered ${status} in an unknown form` };
}

/** True if the connection failed before anything was sent. Node and Deno name such errors differently. */
function wasNotSent(error: unknown): boolean {
  const failure = error as Error & { readonly cause?: { readonly code?: string } };
  return (
    /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/.test(failure.cause?.code ?? '') ||
    /client error \(Connect\)|dns error/.test(failure.message)
  );
}

async function contentOf(
  message: AlertMessage,
  { templates }: WhatsAppSettings,
  site: string,
  now: number,
): Promise<object | undefined> {
  const { customer, folio, kind, quote_id } = message;
  const answer = answerFromRow(customer?.answer);
  if (!customer || !answer) return undefined;
  const link = new URL(`/${LINK_ADDRESS}${await linkCode(quote_id, customer.closing ?? undefined)}`, site).href;
  const isOpen = Date.parse(customer.window_until ?? '') - WINDOW_MARGIN > now && !customer.is_template;
  if (isOpen) {
    const closing = [customerMail.isKey, words.stop].map((text): Part => ({ text, look: 'small' }));
    return {
      type: 'text',
      text: { preview_url: false, body: textOf(partsOf(message, answer, link, now, { next: words.next, closing })) },
    };
  }
  const parameters = [customer.nombre, folio, link].map((text) => ({ type: 'text', text: oneLine(text) }));
  return {
    type: 'template',
    template: {
      name: kind === 'respuesta' ? templates.answer : templates.news,
      language: { code: 'es_MX' },
      components: [{ type: 'body', parameters }],
    },
  };
}

/**
 * Joins all parts into one message, because WhatsApp charges each message. If the text is too long, only the body is
 * shortened, so that the link stays whole.
 */
function textOf(parts: readonly Part[]): string {
  const write = (length: number) =>
    parts
      .map((part) => {
        const text = linesOf(part).join('\n');
        if (part.look === 'price')
          return linesOf(part)
            .map((each) => `*${each}*`)
            .join('\n');
        return part.look === 'body' && text.length > length ? `${text.slice(0, Math.max(0, length - 1))}…` : text;
      })
      .join('\n\n');
  const whole = write(Infinity);
  const body = parts.find(({ look }) => look === 'body');
  if (whole.length <= LONGEST || !body) return whole.slice(0, LONGEST);
  return write(linesOf(body).join('\n').length - (whole.length - LONGEST));
}

/** Returns the text without line breaks, tabs and runs of spaces, which the API refuses in a parameter. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
