import { useId, useState } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { designer } from '../content/designer.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { EXPORT_SIZES, type IconState } from './icon.ts';
import styles from './IconDesigner.module.css';
import { FORMATS, save, type IconFormat } from './save.ts';

const words = designer.exports;

interface Props {
  readonly state: IconState;
  readonly onSize: (size: number) => void;
}

export function Exports({ state, onSize }: Props) {
  const [outcome, setOutcome] = useState<Text>();
  const id = useId();
  const start = (format: IconFormat) =>
    save(state, format).then(
      (file) => setOutcome(words.done(file)),
      () => setOutcome(words.failed),
    );
  return (
    <fieldset>
      <legend className="label">
        <Inline text={words.title} />
      </legend>
      <div className="field">
        <label className="label" htmlFor={id}>
          <Inline text={words.size} />
        </label>
        <select id={id} value={state.exportSize} onChange={(event) => onSize(Number(event.target.value))}>
          {EXPORT_SIZES.map((size) => (
            <option key={size} value={size}>
              {words.sizes[size]}
            </option>
          ))}
        </select>
      </div>
      <div className={styles['buttons']}>
        {FORMATS.map((format) => (
          <button
            key={format}
            type="button"
            className={format === 'svg' ? 'button' : 'button plain'}
            onClick={() => void start(format)}
          >
            <ButtonWords text={words.formats[format]} />
          </button>
        ))}
      </div>
      <div className={styles['note']}>
        <Bilingual text={words.share} />
      </div>
      <output className={styles['said']}>{outcome && <Inline text={outcome} />}</output>
    </fieldset>
  );
}
