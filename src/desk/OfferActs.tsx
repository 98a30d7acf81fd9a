import { useState } from 'react';
import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import { isSeen, LONGEST } from '../lead/bounds.ts';
import { newId } from '../lead/quote.ts';
import type { DeskMove } from '../lead/vocabulary.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Act } from './Act.tsx';
import { moveOffer, type Ending } from './actions.ts';
import { Field } from './Field.tsx';
import type { Lead } from './lead.ts';
import styles from './LeadSheet.module.css';
import { useUnfinished } from './unfinished.ts';

const words = desk.offer;

const NAMES: Readonly<Record<DeskMove, Text>> = {
  aceptada: words.confirm,
  retirada: words.withdraw,
  reservada: words.reserve,
  sinespacio: words.noSpace,
};
/** What is asked for with a move; a word that the customer must have cannot be left out. */
const ASKS: Readonly<Partial<Record<DeskMove, Text>>> = {
  retirada: words.why,
  reservada: words.next,
  sinespacio: words.word,
};

interface Written {
  readonly id: string;
  readonly word: string;
  readonly reference: string;
}

interface Props {
  readonly lead: Lead;
  readonly answerId: string;
  readonly moves: readonly DeskMove[];
  readonly tell: (ended: Ending, done?: Text) => void;
}

/** What the sales team can do with one offer now. */
export function OfferActs({ lead, answerId, moves, tell }: Props) {
  const [chosen, setChosen] = useState<DeskMove>();
  const [busy, setBusy] = useState(false);
  // A press that is repeated, where the answer to the first was lost, is the same one.
  const [id] = useState(newId);

  async function save(move: DeskMove, written: Written): Promise<boolean> {
    if (busy) return false;
    setBusy(true);
    const ended = await moveOffer(lead, answerId, move, written);
    setBusy(false);
    const isOver = ended.kind === 'done' || ended.kind === 'conflict';
    if (isOver) setChosen(undefined);
    tell(ended, words.saved);
    return isOver;
  }

  if (chosen)
    return (
      <MoveForm
        where={`offer ${answerId} ${chosen}`}
        move={chosen}
        busy={busy}
        onSave={(written) => save(chosen, written)}
        onCancel={() => setChosen(undefined)}
      />
    );
  return (
    <div className={styles['moves']} aria-busy={busy}>
      {moves.map((move) => (
        <Act
          key={move}
          words={NAMES[move]}
          quiet={move !== 'reservada'}
          onClick={() => (ASKS[move] ? setChosen(move) : void save(move, { id, word: '', reference: '' }))}
        />
      ))}
    </div>
  );
}

interface MoveProps {
  readonly where: string;
  readonly move: DeskMove;
  readonly busy: boolean;
  /** Answers whether it is over. */
  readonly onSave: (written: Written) => Promise<boolean>;
  readonly onCancel: () => void;
}

/** What is written for one move is of no other: its customer would read it. */
function MoveForm({ where, move, busy, onSave, onCancel }: MoveProps) {
  const [written, write, end] = useUnfinished(where, (): Written => ({ id: newId(), word: '', reference: '' }));
  const { id, word, reference } = written;
  const [wrong, setWrong] = useState(false);
  async function save() {
    const isShort = (move === 'retirada' || move === 'reservada') && !isSeen(word);
    setWrong(isShort);
    if (!isShort && (await onSave({ id, word: word.trim(), reference: reference.trim() }))) end();
  }
  return (
    <form
      className={styles['losing']}
      aria-label={mainWords(NAMES[move])}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {move === 'reservada' && (
        <Field
          label={words.reference}
          most={LONGEST.reference}
          value={reference}
          onChange={(text) => write({ ...written, reference: text })}
        />
      )}
      <Field
        label={ASKS[move]!}
        most={LONGEST.move}
        value={word}
        onChange={(text) => {
          write({ ...written, word: text });
          setWrong(false);
        }}
        isFirst
      />
      <div role="alert">{wrong && <Bilingual text={words.needsWord} />}</div>
      <Act words={NAMES[move]} quiet={false} type="submit" aria-busy={busy} />
      <Act words={desk.cancel} onClick={onCancel} />
    </form>
  );
}
