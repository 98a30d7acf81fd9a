import { useState } from 'react';
import { deskLead } from '../../content/desk-lead.ts';
import { hasText, LONGEST } from '../../lead/bounds.ts';
import { newId } from '../../lead/quote.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useDialogDraft } from '../answer/dialog-drafts.ts';
import { moveOffer } from '../api/lead-changes.ts';
import { useAct } from '../context.ts';
import type { Lead } from './lead.ts';
import { SubForm } from './SubForm.tsx';

const words = deskLead.booking;

interface Props {
  readonly lead: Lead;
  readonly answerId: string;
  /** `aceptada` records a late acceptance, `retirada` withdraws an open offer. */
  readonly move: 'aceptada' | 'retirada';
}

/** Button and form of an action on an offer in the conversation. */
export function OfferActions({ lead, answerId, move }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [busy, act] = useAct(lead);
  const [wrong, setWrong] = useState(false);
  const where = `offer ${answerId} ${move}`;
  const [{ id, word }, write, end] = useDialogDraft(where, () => ({ id: newId(), word: '' }));

  async function save() {
    // A second press sends the same id, so that the action is stored once even if the first response was lost.
    const result = await act(() => moveOffer(lead, answerId, move, { id, word: word.trim() }), words.saved);
    if (result?.kind === 'done' || result?.kind === 'conflict') {
      setOpen(false);
      end();
    }
  }

  if (move === 'aceptada') return <Button words={words.confirm} aria-busy={busy} onClick={() => void save()} />;
  if (!isOpen) return <Button words={words.withdraw} onClick={() => setOpen(true)} />;
  return (
    <SubForm
      title={words.withdraw}
      send={words.withdraw}
      busy={busy}
      onSend={() => {
        setWrong(!hasText(word));
        if (hasText(word)) void save();
      }}
      onCancel={() => setOpen(false)}
    >
      <TextField
        label={words.why}
        fault={wrong ? words.needsWord : undefined}
        most={LONGEST.move}
        value={word}
        isFirst
        onChange={(text) => {
          write({ id, word: text });
          setWrong(false);
        }}
      />
    </SubForm>
  );
}
