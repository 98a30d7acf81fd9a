import { bothWords, type Bilingual } from '../content/bilingual.ts';
import { PAPER_STATES, type PaperState } from '../lead/papers.ts';

interface Props {
  readonly id: string;
  readonly state: PaperState | undefined;
  readonly words: Readonly<Record<PaperState | 'unmarked', Bilingual>>;
  readonly onMark: (state: PaperState) => void;
}

/** Select for the state of a shipping document, used by the exporter's receipt and by the desk. */
export const PaperSelect = ({ id, state, words, onMark }: Props) => (
  <select id={id} value={state ?? ''} onChange={({ target }) => onMark(target.value as PaperState)}>
    <option value="" disabled>
      {bothWords(words.unmarked)}
    </option>
    {PAPER_STATES.map((each) => (
      <option key={each} value={each}>
        {bothWords(words[each])}
      </option>
    ))}
  </select>
);
