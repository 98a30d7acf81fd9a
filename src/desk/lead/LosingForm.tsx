import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import { hasText, LONGEST } from '../../lead/bounds.ts';
import { newId } from '../../lead/quote.ts';
import { LOST_REASONS, type LostReason } from '../../lead/vocabulary.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Buttons, Chip } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { useDialogDraft } from '../answer/dialog-drafts.ts';
import { SubForm } from './SubForm.tsx';

interface Losing {
  readonly reason: LostReason | undefined;
  readonly note: { readonly id: string; readonly word: string };
}

const nothing = (): Losing => ({ reason: undefined, note: { id: newId(), word: '' } });

interface Props {
  /** Name of the draft in dialog-drafts.ts. */
  readonly where: string;
  /** Resolves to true if the leads are closed; otherwise the draft stays. */
  readonly onSend: (reason: LostReason, note: Losing['note']) => Promise<boolean | undefined>;
  readonly onClose: () => void;
}

/** Form that closes a lead as lost: one reason from a list, which the figures count, and a note. */
export function LosingForm({ where, onSend, onClose }: Props) {
  const [{ reason, note }, write, end] = useDialogDraft(`losing ${where}`, nothing);
  const [isTried, setTried] = useState(false);
  const isShort = reason === 'otro' && !hasText(note.word);
  async function send() {
    setTried(true);
    if (!reason || isShort || !(await onSend(reason, { ...note, word: note.word.trim() }))) return;
    end();
    onClose();
  }
  return (
    <SubForm title={words.lostBecause} send={words.lostSend} onSend={() => void send()} onCancel={onClose}>
      <h3 className="label">{mainWords(words.lostBecause)}</h3>
      <Buttons>
        {LOST_REASONS.map((each, at) => (
          <Chip
            key={each}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the person pressed 'Perdida' to get these buttons
            autoFocus={at === 0}
            aria-pressed={reason === each}
            onClick={() => write({ reason: each, note })}
          >
            {mainWords(words.lostReasons[each])}
          </Chip>
        ))}
      </Buttons>
      <div role="alert">{isTried && !reason && <Bilingual text={words.chooseReason} />}</div>
      <TextField
        label={words.lostWord}
        fault={isTried && isShort ? words.lostWordNeeded : undefined}
        most={LONGEST.move}
        value={note.word}
        // A changed text gets a new id: the server may have stored the earlier text under the old id.
        onChange={(word) => write({ reason, note: { id: newId(), word } })}
      />
    </SubForm>
  );
}
