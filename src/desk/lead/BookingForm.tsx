import { useEffect, useRef, useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskLead } from '../../content/desk-lead.ts';
import { hasText, LONGEST } from '../../lead/bounds.ts';
import { newId } from '../../lead/quote.ts';
import { Button, Buttons } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useDialogDraft } from '../answer/dialog-drafts.ts';
import { DONE, type ActionResult } from '../api/action-result.ts';
import { moveOffer, take, takeOver } from '../api/lead-changes.ts';
import { leadById } from '../api/lead-feed.ts';
import { useAct, useDesk } from '../context.ts';
import styles from './BookingForm.module.css';
import type { Lead } from './lead.ts';
import { acceptedOf } from './offer.ts';

const words = deskLead.booking;

interface Booking {
  readonly id: string;
  readonly reference: string;
  readonly word: string;
}

const nothing = (): Booking => ({ id: newId(), reference: '', word: mainWords(words.usual) });

interface Props {
  readonly lead: Lead;
  /** Id of the answer whose offer the customer accepted; undefined until the conversation is read. */
  readonly answerId: string | undefined;
}

/**
 * Form that records whether an accepted offer is booked or has no space. It replaces the answer form. If the lead has
 * no owner, sending the form also takes the lead.
 */
export function BookingForm({ lead, answerId }: Props) {
  const { me, now } = useDesk();
  const [{ id, reference, word }, write, end] = useDialogDraft(`booking ${lead.quote_id}`, nothing);
  const [busy, act] = useAct(lead);
  const [wrong, setWrong] = useState(false);
  const section = useRef<HTMLElement>(null);
  // The effect has braces: in newer browsers scrollIntoView returns a promise, which React would take for a cleanup
  // function.
  useEffect(() => {
    section.current!.scrollIntoView({ block: 'start' });
  }, []);
  const change = (changes: Partial<Booking>) => {
    setWrong(false);
    write({ id, reference, word, ...changes });
  };

  async function save(state: 'reservada' | 'sinespacio') {
    if (!answerId) return;
    // The preset text promises a pick-up, so it is not sent if the flight has no space.
    const message = state === 'sinespacio' && word === mainWords(words.usual) ? '' : word.trim();
    if (state === 'reservada' && !hasText(message)) return setWrong(true);
    const move = { id, word: message, reference: state === 'reservada' ? reference.trim() : '' };
    const result = await act(async () => {
      const taken = await ownedBy(me.id, lead);
      return taken.kind === 'done' ? moveOffer(leadById(lead.quote_id) ?? lead, answerId, state, move) : taken;
    }, words.saved);
    if (result?.kind === 'done') end();
  }

  return (
    <section ref={section} className={styles['booking']} aria-label={mainWords(words.title)}>
      <h3>{mainWords(words.accepted(acceptedOf(lead, now)))}</h3>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save('reservada');
        }}
      >
        <TextField
          data-answer=""
          label={words.reference}
          most={LONGEST.reference}
          value={reference}
          onChange={(text) => change({ reference: text })}
        />
        <TextField
          label={words.next}
          fault={wrong ? words.needsWord : undefined}
          most={LONGEST.move}
          value={word}
          onChange={(text) => change({ word: text })}
        />
        <Buttons>
          <Button
            words={lead.assignee === me.id ? deskLead.standing.booked : words.takeAndReserve}
            quiet={false}
            type="submit"
            disabled={!answerId}
            aria-busy={busy}
          />
          <Button words={words.noSpace} disabled={!answerId} aria-busy={busy} onClick={() => void save('sinespacio')} />
        </Buttons>
      </form>
    </section>
  );
}

async function ownedBy(me: string, lead: Lead): Promise<ActionResult> {
  if (lead.assignee === me) return DONE;
  return lead.assignee === null ? take(lead, me) : takeOver(lead, me);
}
