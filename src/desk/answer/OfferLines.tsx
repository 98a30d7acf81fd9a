import { useState, type ReactNode } from 'react';
import { chargeInWords } from '../../content/charge-words.ts';
import { charges } from '../../content/charges.ts';
import { englishWords, mainWords } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import type { DraftLine } from '../../lead/answer-draft.ts';
import { CHARGED_PER, CHARGES, LONGEST_NAME, MOST_LINES } from '../../lead/offer-lines.ts';
import { Buttons, Chip } from '../../ui/Button.tsx';
import { Select, TextField } from '../../ui/Field.tsx';
import { firstLines, withOneMore, type LineFaults } from './draft-lines.ts';
import styles from './OfferLines.module.css';

const words = deskAnswer.lines;

interface Props {
  readonly lines: readonly DraftLine[];
  readonly price: string;
  /** Unit of the offer's price: 'kilo' for a price per kilo, 'total' for one sum. */
  readonly per: string;
  readonly faults?: readonly LineFaults[] | undefined;
  readonly isFixed?: boolean;
  /**
   * Called at each change of the lines. A line that is not priced by the kilo sets `per`, the unit of the whole offer,
   * to 'total'.
   */
  readonly onWrite: (changes: { readonly lines: readonly DraftLine[]; readonly per: string }) => void;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/**
 * Fields for the lines of an offer, one line for each charge. An offer without lines has only a button that divides the
 * price into lines.
 */
export function OfferLines({ lines, price, per, faults, isFixed = false, onWrite, onClose, children }: Props) {
  /** Index of the line just added, whose amount field takes the focus. */
  const [added, setAdded] = useState<number>();
  const write = (next: readonly DraftLine[]) =>
    onWrite({ lines: next, per: next.some((line) => line.per !== 'kilo') ? 'total' : per });
  const add = (next: readonly DraftLine[], place: number) => {
    setAdded(place);
    write(next);
  };
  if (lines.length === 0)
    return isFixed ? null : (
      <Buttons>
        <Chip title={englishWords(words.open)} onClick={() => add(firstLines(price, per), price ? 1 : 0)}>
          {mainWords(words.open)}
        </Chip>
        {children}
      </Buttons>
    );
  return (
    <fieldset className={styles['lines']}>
      <legend className="label" title={englishWords(words.title)}>
        {mainWords(words.title)}
      </legend>
      {lines.map((line, place) => (
        <DraftLineFields
          // oxlint-disable-next-line react/no-array-index-key -- a line has no id, only its place
          key={place}
          line={line}
          faults={faults?.[place]}
          isFixed={isFixed}
          isAdded={place === added}
          onWrite={(changes) => write(lines.with(place, { ...line, ...changes }))}
          onRemove={lines.length > 1 ? () => write(lines.toSpliced(place, 1)) : onClose}
        />
      ))}
      {!isFixed && (
        <Buttons>
          <Chip
            disabled={lines.length >= MOST_LINES}
            title={englishWords(words.add)}
            onClick={() => add(withOneMore(lines, per), lines.length)}
          >
            {mainWords(words.add)}
          </Chip>
          <Chip title={englishWords(words.close)} onClick={onClose}>
            {mainWords(words.close)}
          </Chip>
          {children}
        </Buttons>
      )}
    </fieldset>
  );
}

interface LineProps {
  readonly line: DraftLine;
  readonly faults: LineFaults | undefined;
  readonly isFixed: boolean;
  readonly isAdded: boolean;
  readonly onWrite: (changes: Partial<DraftLine>) => void;
  readonly onRemove: () => void;
}

function DraftLineFields({ line, faults, isFixed, isAdded, onWrite, onRemove }: LineProps) {
  const { kind, per, amount, days, name } = line;
  const remove = words.remove(mainWords(chargeInWords({ kind, name })));
  return (
    <div
      className={styles['line']}
      data-days={per === 'dia' ? '' : undefined}
      role="group"
      aria-label={mainWords(chargeInWords({ kind, name }))}
    >
      <Select
        label={words.charge}
        value={kind}
        disabled={isFixed}
        options={CHARGES.map((each) => [each, mainWords(charges.kinds[each])])}
        onChange={(each) => onWrite({ kind: each as DraftLine['kind'] })}
      />
      <TextField
        label={words.amount}
        fault={faults?.amount}
        inputMode="decimal"
        most={12}
        isFirst={isAdded}
        value={amount}
        readOnly={isFixed}
        onChange={(text) => onWrite({ amount: text })}
      />
      <Select
        label={words.per}
        value={per}
        disabled={isFixed}
        options={CHARGED_PER.map((each) => [each, mainWords(words.units[each])])}
        onChange={(each) => onWrite({ per: each as DraftLine['per'] })}
      />
      {per === 'dia' && (
        <TextField
          label={words.days}
          fault={faults?.days}
          inputMode="numeric"
          most={3}
          value={days}
          readOnly={isFixed}
          onChange={(text) => onWrite({ days: text })}
        />
      )}
      {kind === 'otro' && (
        <TextField
          label={words.name}
          most={LONGEST_NAME}
          value={name}
          readOnly={isFixed}
          onChange={(text) => onWrite({ name: text })}
        />
      )}
      {!isFixed && (
        <button
          type="button"
          className={styles['remove']}
          aria-label={mainWords(remove)}
          title={englishWords(remove)}
          onClick={onRemove}
        >
          ×
        </button>
      )}
    </div>
  );
}
