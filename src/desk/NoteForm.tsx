import { useState } from 'react';
import { desk } from '../content/desk.ts';
import { isSeen, LONGEST } from '../lead/bounds.ts';
import { newId } from '../lead/quote.ts';
import { useStore } from '../ui/store.ts';
import { Act } from './Act.tsx';
import { saveNote, type Ending } from './actions.ts';
import { drafts, filledIn, withPlaceholders, writeDraft } from './drafts.ts';
import { Labelled } from './Labelled.tsx';
import type { Lead } from './lead.ts';
import styles from './NoteForm.module.css';
import type { Person } from './session.ts';

const words = desk.note;

interface Props {
  readonly lead: Lead;
  readonly me: Person;
  readonly tell: (ended: Ending) => void;
  readonly onSaved: () => void;
}

export function NoteForm({ lead, me, tell, onSaved }: Props) {
  const { note = '', noteId } = useStore(drafts).get(lead.quote_id) ?? {};
  const [busy, setBusy] = useState(false);
  const text = filledIn(note, lead);

  async function send() {
    if (busy || !isSeen(text)) return;
    setBusy(true);
    const ended = await saveNote(lead, noteId ?? newId(), text);
    setBusy(false);
    if (ended.kind === 'done') {
      writeDraft(lead.quote_id, me.id, { note: undefined, noteId: undefined });
      onSaved();
    }
    // What was changed after its first version had arrived is another note.
    if (ended.kind === 'conflict') writeDraft(lead.quote_id, me.id, { noteId: newId() });
    tell(ended);
  }

  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Labelled label={words.title}>
        <textarea
          id="note"
          rows={2}
          maxLength={LONGEST.note}
          value={text}
          // What was typed meanwhile would go with what was saved.
          readOnly={busy}
          onChange={(event) =>
            writeDraft(lead.quote_id, me.id, {
              note: withPlaceholders(event.target.value, lead),
              noteId: noteId ?? newId(),
            })
          }
        />
      </Labelled>
      <Act words={words.send} type="submit" aria-busy={busy} />
    </form>
  );
}
