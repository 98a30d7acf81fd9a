import { bothWords, type Bilingual } from '../content/bilingual.ts';
import { quoteForm } from '../content/quote-form.ts';
import { fieldWords, type FieldWords } from '../content/fields.ts';
import { Inline } from '../ui/Inline.tsx';
import { fields, type Field as Name } from '../lead/fields.ts';

/** Longest text of a number field: seven digits with separators, and a unit. */
const NUMBER_ROOM = 18;

interface Props {
  readonly name: Name;
  readonly fault?: Bilingual | undefined;
}

export function Field({ name, fault }: Props) {
  const { label, hint, placeholder, choices: choiceWords }: FieldWords = fieldWords[name];
  const { choices, input, longest, most, optional } = fields[name];
  const descriptions = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(' ');
  const control = {
    id: name,
    name,
    'aria-invalid': fault ? true : undefined,
    'aria-required': !optional,
    'aria-describedby': descriptions || undefined,
  } as const;
  return (
    <div className="field">
      <label className="label" htmlFor={name}>
        <Inline text={label} />
      </label>
      {choices ? (
        <select {...control} defaultValue="">
          <option value="">{bothWords(quoteForm.choose)}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {bothWords(choiceWords![choice]!)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...control}
          placeholder={placeholder}
          {...input}
          maxLength={longest ?? NUMBER_ROOM}
          min={most && 1}
          max={most}
        />
      )}
      {hint && (
        <p id={`${name}-hint`} className="hint">
          <Inline text={hint} />
        </p>
      )}
      {fault && (
        <p id={`${name}-fault`}>
          <Inline text={fault} />
        </p>
      )}
    </div>
  );
}
