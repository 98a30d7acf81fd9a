import { useState } from 'react';
import { weightHelper as words } from '../content/weight-helper.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { chargeableWeight } from '../lead/chargeable-weight.ts';
import styles from './WeightHelper.module.css';

const MEASURES = ['count', 'length', 'width', 'height', 'gross', 'shipments'] as const;
const NOTHING = { count: '1', length: '', width: '', height: '', gross: '', shipments: '1' };

interface Props {
  /** Number of cubic centimetres that are charged as one kilogram. */
  readonly cubic: number;
  readonly onUse: (aMonth: number, shipment: number) => void;
}

/** Calculator for exporters who know the boxes of one shipment, but not the kilos per month that the form asks for. */
export function WeightHelper({ cubic, onUse }: Props) {
  const [texts, setTexts] = useState<Record<(typeof MEASURES)[number], string>>(NOTHING);
  const numberOf = (measure: (typeof MEASURES)[number]) => Number(texts[measure]) || 0;
  const [count, length, width, height] = [numberOf('count'), numberOf('length'), numberOf('width'), numberOf('height')];
  const kilos = chargeableWeight({ count, length, width, height }, numberOf('gross'), cubic);
  const aMonth = Math.ceil(kilos * Math.max(0, numberOf('shipments')));
  const use = () => aMonth > 0 && onUse(aMonth, Math.ceil(kilos));
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
            value={texts[measure]}
            onChange={(event) => setTexts({ ...texts, [measure]: event.target.value })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // Enter uses the computed weight. Without `preventDefault` it would send the form.
              event.preventDefault();
              use();
            }}
          />
        </label>
      ))}
      <output aria-live="polite">
        {kilos > 0 && <Inline text={words.result(kilos.toLocaleString('es-MX'), aMonth.toLocaleString('es-MX'))} />}
      </output>
      <p>
        <Inline text={words.note(cubic.toLocaleString('es-MX'))} />
      </p>
      <button className="button plain" type="button" disabled={aMonth <= 0} onClick={use}>
        <ButtonWords text={words.use} />
      </button>
    </div>
  );
}
