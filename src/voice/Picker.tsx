import type { Bilingual } from '../content/bilingual.ts';
import { Inline } from '../ui/Inline.tsx';
import internal from '../ui/InternalPage.module.css';

interface Props<Value extends string> {
  readonly name: string;
  readonly words: { readonly title: Bilingual; readonly names: Readonly<Record<Value, Bilingual>> };
  readonly values: readonly Value[];
  readonly value: Value;
  readonly onPick: (value: Value) => void;
}

export function Picker<Value extends string>({ name, words, values, value, onPick }: Props<Value>) {
  return (
    <fieldset>
      <legend className="label">
        <Inline text={words.title} />
      </legend>
      {values.map((each) => (
        <label key={each} className={internal['choice']}>
          <input type="radio" name={name} checked={each === value} onChange={() => onPick(each)} />
          <span>
            <Inline text={words.names[each]} />
          </span>
        </label>
      ))}
    </fieldset>
  );
}
