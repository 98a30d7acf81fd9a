import { useState } from 'react';
import { weightHelper as words } from '../content/weight-helper.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { chargeableWeight } from './chargeable-weight.ts';
import styles from './WeightHelper.module.css';

const MEASURES = ['count', 'length', 'width', 'height', 'gross'] as const;
const NOTHING = { count: '1', length: '', width: '', height: '', gross: '' };

/** Field people know boxes, not kilos. */
export function WeightHelper({ onUse }: { readonly onUse: (kilos: number) => void }) {
  const [written, setWritten] = useState<Record<(typeof MEASURES)[number], string>>(NOTHING);
  const [count, length, width, height, gross] = MEASURES.map((measure) => Number(written[measure]) || 0) as [
    number,
    number,
    number,
    number,
    number,
  ];
  const kilos = chargeableWeight({ count, length, width, height }, gross);
  return (
    <div className={styles['measures']}>
      {MEASURES.map((measure) => (
        <label key={measure} className="field">
          <span className="label">
            <Inline text={words.fields[measure]} />
          </span>
          <input
            type="number"
            inputMode="decimal"
            min={0}
            value={written[measure]}
            onChange={(event) => setWritten({ ...written, [measure]: event.target.value })}
          />
        </label>
      ))}
      <output aria-live="polite">{kilos > 0 && <Inline text={words.result(kilos.toLocaleString('es-MX'))} />}</output>
      <p>
        <Inline text={words.note} />
      </p>
      <button className="button plain" type="button" disabled={kilos <= 0} onClick={() => onUse(Math.ceil(kilos))}>
        <ButtonWords text={words.use} />
      </button>
    </div>
  );
}
