import { mainWords } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import { LONGEST } from '../lead/bounds.ts';
import { newId } from '../lead/quote.ts';
import { LOST_REASONS, type LostReason } from '../lead/vocabulary.ts';
import { Act } from './Act.tsx';
import { lose, type Ending } from './actions.ts';
import { Labelled } from './Labelled.tsx';
import type { Lead } from './lead.ts';
import styles from './LeadSheet.module.css';
import { useUnfinished } from './unfinished.ts';

interface Props {
  readonly lead: Lead;
  readonly onCancel: () => void;
  readonly onLose: (work: () => Promise<Ending>) => void;
}

/** Why a lead was lost: one of a few reasons, which can be counted, and a word where none of them says it. */
export function LosingForm({ lead, onCancel, onLose }: Props) {
  const nothing = () => ({ reason: 'precio' as LostReason, note: { id: newId(), word: '' } });
  const [{ reason, note }, write, end] = useUnfinished(`losing ${lead.quote_id}`, nothing);
  return (
    <form
      className={styles['losing']}
      onSubmit={(event) => {
        event.preventDefault();
        onLose(async () => {
          const ended = await lose(lead, reason, { ...note, word: note.word.trim() });
          if (ended.kind === 'done') end();
          return ended;
        });
      }}
    >
      <Labelled label={words.lostBecause}>
        <select
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press on 'Perdida' asked for this field
          autoFocus
          value={reason}
          onChange={(event) => write({ reason: event.target.value as LostReason, note })}
        >
          {LOST_REASONS.map((each) => (
            <option key={each} value={each}>
              {mainWords(words.lostReasons[each])}
            </option>
          ))}
        </select>
      </Labelled>
      <Labelled label={words.lostWord}>
        <input
          maxLength={LONGEST.move}
          autoComplete="off"
          required={reason === 'otro'}
          value={note.word}
          // One that was changed is another: the first may have arrived unheard.
          onChange={(event) => write({ reason, note: { id: newId(), word: event.target.value } })}
        />
      </Labelled>
      <Act words={words.lost} quiet={false} type="submit" />
      <Act words={words.cancel} onClick={onCancel} />
    </form>
  );
}
