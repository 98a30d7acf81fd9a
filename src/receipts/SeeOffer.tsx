import { useState, type ComponentProps, type ComponentType } from 'react';
import { answers as words } from '../content/answers.ts';
import type { Answer } from '../lead/answer.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { readOfferFacts } from '../lead/offer-lines.ts';
import { toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { canLink, linkOf } from '../phone/link-of.ts';
import type { OfferSheet, SheetOffer } from '../ui/OfferSheet.tsx';
import { ActionLabel } from './ActionLabel.tsx';

interface Props {
  readonly entry: Entry;
  readonly answer: Answer;
}

/**
 * Button that opens an offer as a page to print. If its code cannot be fetched, for example because data saver mode
 * left it out, a toast says so.
 */
export function SeeOffer({ entry, answer }: Props) {
  const [Sheet, setSheet] = useState<ComponentType<ComponentProps<typeof OfferSheet>>>();
  const [link, setLink] = useState<string>();
  const offer = sheetOffer(entry, answer);
  if (!offer) return null;

  async function open() {
    try {
      const { OfferSheet: loaded } = await import('../ui/OfferSheet.tsx');
      setSheet(() => loaded);
    } catch {
      return toast(words.noSheet, { type: 'error', about: entry.id });
    }
    if (canLink()) setLink(await linkOf(entry).catch(() => undefined));
    return undefined;
  }

  return (
    <>
      <button className="button plain" type="button" onClick={() => void open()}>
        <ActionLabel text={words.seeOffer} />
      </button>
      {Sheet && (
        <Sheet
          quoteId={entry.id}
          customer={entry.quote ?? {}}
          offer={offer}
          link={link}
          onClose={() => setSheet(undefined)}
        />
      )}
    </>
  );
}

function sheetOffer({ messages }: Entry, answer: Answer): SheetOffer | undefined {
  const { id, at, price, kilos, validUntil, body, state } = answer;
  if (!price || kilos === undefined || validUntil === undefined) return undefined;
  const facts = readOfferFacts(answer.offer);
  return { at, price, kilos, validUntil, body, state, facts, acceptance: acceptanceOf() };

  function acceptanceOf(): SheetOffer['acceptance'] {
    const { accepted, received } = facts;
    // The server's times are shown, as on the desk. Until they arrive, this phone's times are shown.
    if (accepted && received) return { at: Date.parse(accepted), received: Date.parse(received) };
    const own = messagesOfKind(messages, 'aceptada').find(({ answerId }) => answerId === id);
    if (!own || own.state.kind === 'refused' || (state !== 'vigente' && state !== 'aceptada')) return undefined;
    return { at: own.createdAt, received: own.state.kind === 'delivered' ? own.state.at : undefined };
  }
}
