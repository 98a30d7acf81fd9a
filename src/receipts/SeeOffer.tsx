import type { ComponentProps, ComponentType } from 'react';
import { answers as words } from '../content/answers.ts';
import type { Answer } from '../lead/answer.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { readOfferFacts } from '../lead/offer-lines.ts';
import { toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { canLink, linkOf } from '../phone/link-of.ts';
import type { OfferSheet, SheetOffer } from '../ui/OfferSheet.tsx';
import { ActionLabel } from './ActionLabel.tsx';

/**
 * Offer that is open as a page. The receipt has this state, and not the button, because an acceptance replaces the
 * button while the page must stay open.
 */
export interface OpenedOffer {
  readonly answerId: string;
  readonly Sheet: ComponentType<ComponentProps<typeof OfferSheet>>;
  readonly link: string | undefined;
}

interface Props {
  readonly entry: Entry;
  readonly answer: Answer;
  readonly onSee: (opened: OpenedOffer) => void;
}

/**
 * Button that opens an offer as a page to print. The code of the page loads after the press; if that fails, a toast
 * says so.
 */
export function SeeOffer({ entry, answer, onSee }: Props) {
  if (!sheetOffer(entry, answer)) return null;

  async function open() {
    const link = canLink() ? await linkOf(entry).catch(() => undefined) : undefined;
    await import('../ui/OfferSheet.tsx').then(
      ({ OfferSheet: Sheet }) => onSee({ answerId: answer.id, Sheet, link }),
      () => toast(words.noSheet, { type: 'error', about: entry.id }),
    );
  }

  return (
    <button className="button plain" type="button" onClick={() => void open()}>
      <ActionLabel text={words.seeOffer} />
    </button>
  );
}

interface OpenProps {
  readonly entry: Entry;
  readonly opened: OpenedOffer;
  readonly onClose: () => void;
}

export function OpenOffer({ entry, opened: { answerId, Sheet, link }, onClose }: OpenProps) {
  const answer = entry.answers.find(({ id }) => id === answerId);
  const offer = answer && sheetOffer(entry, answer);
  return offer && <Sheet quoteId={entry.id} customer={entry.quote ?? {}} offer={offer} link={link} onClose={onClose} />;
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
