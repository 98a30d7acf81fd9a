import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import { isSeen, LONGEST } from '../../lead/bounds.ts';
import { newId } from '../../lead/quote.ts';
import { LOST_REASONS, type LostReason } from '../../lead/vocabulary.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Chip } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useDialogDraft } from '../answer/dialog-drafts.ts';
import type { Ending } from '../api/ending.ts';
import { lose } from './lead-actions.ts';
import type { Lead } from './lead.ts';
import styles from './LeadSheet.module.css';
import { SubForm } from './SubForm.tsx';

interface Losing {
  readonly reason: LostReason | undefined;
  readonly note: { readonly id: string; readonly word: string };
}

const nothing = (): Losing => ({ reason: undefined, note: { id: newId(), word: '' } });

interface Props {
  readonly lead: Lead;
  readonly onClose: () => void;
  readonly act: (work: () => Promise<Ending>) => void;
}

/** Why a lead was lost: a reason that can be counted, none of them preset, and a detail. */
export function LosingForm({ lead, onClose, act }: Props) {
  const [{ reason, note }, write, end] = useDialogDraft(`losing ${lead.quote_id}`, nothing);
  const [isAsked, setAsked] = useState(false);
  const isShort = reason === 'otro' && !isSeen(note.word);
  function send() {
    setAsked(true);
    if (!reason || isShort) return;
    act(async () => {
      const ended = await lose(lead, reason, { ...note, word: note.word.trim() });
      // The words stay until they have arrived.
      if (ended.kind === 'done') {
        end();
        onClose();
      }
      return ended;
    });
  }
  return (
    <SubForm title={words.lostBecause} send={words.lostSend} onSend={send} onCancel={onClose}>
      <fieldset className={styles['chips']}>
        <legend className="label">{mainWords(words.lostBecause)}</legend>
        {LOST_REASONS.map((each, at) => (
          <Chip
            key={each}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press on 'Perdida' asked for these
            autoFocus={at === 0}
            aria-pressed={reason === each}
            onClick={() => write({ reason: each, note })}
          >
            {mainWords(words.lostReasons[each])}
          </Chip>
        ))}
      </fieldset>
      <div role="alert">{isAsked && !reason && <Bilingual text={words.chooseReason} />}</div>
      <TextField
        label={words.lostWord}
        fault={isAsked && isShort ? words.lostWordNeeded : undefined}
        most={LONGEST.move}
        value={note.word}
        // A changed text is another note: the first may have arrived without a confirmation.
        onChange={(word) => write({ reason, note: { id: newId(), word } })}
      />
    </SubForm>
  );
}
