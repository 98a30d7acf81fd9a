import { deskConversation } from '../../content/desk-conversation.ts';
import { hasText, LONGEST } from '../../lead/bounds.ts';
import { newId } from '../../lead/quote.ts';
import { useStore } from '../../ui/store.ts';
import { Button } from '../../ui/Button.tsx';
import { saveNote } from '../api/lead-changes.ts';
import { useAct, useDesk } from '../context.ts';
import styles from '../SheetSection.module.css';
import { drafts, filledIn, withPlaceholders, writeDraft } from '../answer/drafts.ts';
import { TextArea } from '../../ui/Field.tsx';
import type { Lead } from '../lead/lead.ts';

const words = deskConversation.note;

export function NoteForm({ lead, onSaved }: { readonly lead: Lead; readonly onSaved: () => void }) {
  const { me } = useDesk();
  const { note = '', noteId } = useStore(drafts).get(lead.quote_id) ?? {};
  const [busy, act] = useAct(lead);
  const text = filledIn(note, lead);

  async function send() {
    if (!hasText(text)) return;
    const result = await act(() => saveNote(lead, noteId ?? newId(), text), words.saved);
    if (result?.kind === 'done') {
      writeDraft(lead.quote_id, me.id, { note: undefined, noteId: undefined });
      onSaved();
    }
    // A conflict means that an earlier text is stored under this id. The changed text becomes a new note.
    if (result?.kind === 'conflict') writeDraft(lead.quote_id, me.id, { noteId: newId() });
  }

  return (
    <form
      className={styles['part']}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextArea
        label={words.title}
        data-note=""
        rows={2}
        most={LONGEST.note}
        value={text}
        // The field is read-only during the request, because text typed during that time would be lost.
        readOnly={busy}
        onChange={(typed) =>
          writeDraft(lead.quote_id, me.id, { note: withPlaceholders(typed, lead), noteId: noteId ?? newId() })
        }
      />
      <Button words={words.send} type="submit" aria-busy={busy} />
    </form>
  );
}
