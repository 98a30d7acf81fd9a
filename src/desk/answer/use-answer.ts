import { useState } from 'react';
import { flushSync } from 'react-dom';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import type { AnswerDraft } from '../../lead/answer-draft.ts';
import { isDay, isPrice, hasText } from '../../lead/bounds.ts';
import { isKilos } from '../../lead/fields.ts';
import { isPast } from '../../lead/tijuana.ts';
import { useStore } from '../../ui/store.ts';
import { DONE } from '../api/action-result.ts';
import { serverNow } from '../api/server-clock.ts';
import { announceResult } from '../announcements.ts';
import { useDesk } from '../context.ts';
import { useBusy } from '../use-busy.ts';
import type { Lead } from '../lead/lead.ts';
import { drafts, filledIn, forgetAnswer, withPlaceholders, writeDraft } from './drafts.ts';
import { dayAhead, useLastOffers, usualDays } from './last-offers.ts';
import { lineFaults, sumOf, type LineFaults } from './draft-lines.ts';
import { holdAnswer, sendNow, takeBack } from './send-delay.ts';
import { plainKilos, plainPrice } from './sending.ts';
import { choicesOf, templates, wordsOf } from './templates.ts';

const { faults: words } = deskAnswer;

/** Fields of an answer. Until the person changes a field, it has a proposed value. */
type Name = 'kind' | 'body' | 'price' | 'per' | 'currency' | 'kilos' | 'validUntil' | 'lines';
export type AnswerFields = { readonly [Each in Name]: NonNullable<AnswerDraft[Each]> };

type Faults = Partial<Readonly<Record<Exclude<keyof AnswerFields, 'lines'>, Text>>> & {
  readonly lines?: readonly LineFaults[];
};

export type AnswerState = ReturnType<typeof useAnswer>;

export function useAnswer(lead: Lead) {
  const { me } = useDesk();
  const draft = useStore(drafts).get(lead.quote_id);
  const choices = choicesOf(useStore(templates));
  const offers = useLastOffers(lead);
  const [busy, runOnce] = useBusy();
  const [faults, setFaults] = useState<Faults>({});
  const isOthers = lead.assignee !== null && lead.assignee !== me.id;
  const isLeaving = Boolean(draft?.waiting && draft.heldUntil !== undefined);
  const isFixed = isOthers || busy || isLeaving;
  const template = choices.find((each) => each.kind === 'oferta');
  const answer = answerOf(lead, draft, template ? wordsOf(template, lead) : '', dayAhead(usualDays(offers)));

  const write = (changes: Partial<AnswerDraft>) => {
    setFaults({});
    // A toast may say that the answer waits to be sent. A change of the answer cancels the sending, and a result
    // without a text removes the toast.
    if (draft?.waiting) announceResult(lead, DONE);
    writeDraft(lead.quote_id, me.id, { waiting: false, ...changes });
  };

  async function send(form: HTMLFormElement) {
    if (isFixed) return;
    const found = faultsOf(answer);
    flushSync(() => setFaults(found));
    if (Object.keys(found).length > 0) return form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
    const { kind, body, ...offer } = answer;
    write({ kind, body: withPlaceholders(body, lead), ...(kind === 'oferta' && offer) });
    const result = await runOnce(() => holdAnswer(lead, me.id));
    // Without a connection no toast appears, because the form itself says that the answer waits.
    if (result && result.kind !== 'done' && result.kind !== 'unreachable') announceResult(lead, result);
  }

  return {
    answer,
    offers,
    draft,
    faults,
    /** True if the fields are read-only: a colleague's lead, or an answer that is being sent. */
    isFixed,
    /** Time until which the answer can be undone. */
    heldUntil: isLeaving ? draft?.heldUntil || undefined : undefined,
    isSending: busy || isLeaving,
    write,
    writeBody: (text: string) => write({ body: withPlaceholders(text, lead) }),
    send: (form: HTMLFormElement) => void send(form),
    undo: () => takeBack(lead.quote_id, me.id),
    sendNow: () => sendNow(lead.quote_id, me.id),
    discard: () => {
      if (draft?.waiting) announceResult(lead, DONE);
      setFaults({});
      forgetAnswer(lead.quote_id);
    },
  };
}

export function answerOf(lead: Lead, draft: AnswerDraft | undefined, template: string, lastDay: string): AnswerFields {
  // A booked quote takes no further offer, so the form then begins with a message.
  const usual = lead.accepted_state === 'reservada' ? 'mensaje' : 'oferta';
  const { kind = usual, per = 'kilo', currency = 'USD', validUntil = lastDay, lines = [] } = draft ?? {};
  // `peso` is the quote's kilos a month, `embarque` the optional weight of one shipment.
  const kilos = draft?.kilos ?? String((per === 'kilo' ? lead.peso : lead.embarque) ?? '');
  const body = draft?.body === undefined ? (kind === 'oferta' ? template : '') : filledIn(draft.body, lead);
  const price = lines.length > 0 ? sumOf(lines, per, kilos) : (draft?.price ?? '');
  return { kind, body, price, per, currency, kilos, validUntil, lines };
}

export function faultsOf({ kind, body, price, kilos, validUntil, lines }: AnswerFields): Faults {
  const missing = hasText(body) ? {} : { body: words.body };
  if (kind !== 'oferta') return missing;
  const ofLines = lines.map(lineFaults);
  const isWrong = ofLines.some((each) => each.amount ?? each.days);
  return {
    ...(isWrong && { lines: ofLines }),
    ...(!isWrong && !isPrice(plainPrice(price)) && { price: price.trim() ? words.price : words.noPrice }),
    ...(!isKilos(plainKilos(kilos)) && { kilos: words.kilos }),
    ...dayFault(validUntil),
    ...missing,
  };
}

function dayFault(day: string): Faults {
  if (!day) return { validUntil: words.noDay };
  if (!isDay(day)) return { validUntil: words.day };
  return isPast(day, serverNow()) ? { validUntil: words.pastDay } : {};
}
