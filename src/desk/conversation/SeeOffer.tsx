import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { answers as words } from '../../content/answers.ts';
import { deskConversation } from '../../content/desk-conversation.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { readOfferFacts } from '../../lead/offer-lines.ts';
import { isAgreed, readPrice } from '../../lead/offer.ts';
import type { AnswerRow, OfferRow } from '../../lead/rows.ts';
import { Button } from '../../ui/Button.tsx';
import { OfferSheet } from '../../ui/OfferSheet.tsx';
import type { ConversationRead } from '../api/conversation.ts';
import type { Lead } from '../lead/lead.ts';

interface Props {
  readonly lead: Lead;
  readonly answer: AnswerRow;
  readonly offer: OfferRow;
  readonly read: ConversationRead;
}

/** Button that opens an offer as a page to print, as the customer sees it. */
export function SeeOffer({ lead, answer, offer, read }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const { price: amount, price_for: per, currency, kilos, valid_until: validUntil, body, created_at } = answer;
  const price = readPrice({ amount, per, currency });
  if (!price || kilos === null || validUntil === null) return null;
  const facts = readOfferFacts({ ...answer, source: answer.rate_source, day: answer.rate_day });
  const { state } = offer;
  return (
    <>
      <Button words={words.seeOffer} onClick={() => setOpen(true)} />
      {isAgreed(state) && state !== 'sinespacio' && (
        <Button
          words={deskConversation.oneRecord}
          onClick={() => {
            setFailed(false);
            void import('./one-record-file.ts')
              .then(({ saveOneRecord }) => saveOneRecord(lead, answer, offer, read.details?.details ?? {}))
              .catch(() => setFailed(true));
          }}
        />
      )}
      {/* The alert is left out while it is empty, because an empty block would separate the buttons of the offer. */}
      {hasFailed && <p role="alert">{mainWords(deskFailures.unreachable)}</p>}
      {isOpen && (
        <OfferSheet
          quoteId={lead.quote_id}
          customer={lead}
          offer={{
            at: Date.parse(created_at),
            price,
            kilos,
            validUntil,
            body,
            state,
            facts,
            acceptance: isAgreed(state) ? acceptanceOf(answer.id, read) : undefined,
          }}
          link={read.link}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

/**
 * Finds the first valid acceptance of the offer, or a late one that the team has accepted. The database view
 * quote_words chooses by the same rule.
 */
function acceptanceOf(answerId: string, { words: entries }: ConversationRead) {
  const replies = entries.flatMap((word) => (word.kind === 'reply' ? word.reply : []));
  const yes = replies.find(
    ({ answer_id, verdict }) => answer_id === answerId && (verdict === 'vale' || verdict === 'vencida'),
  );
  return yes?.pressed_at ? { at: Date.parse(yes.pressed_at), received: Date.parse(yes.created_at) } : undefined;
}
