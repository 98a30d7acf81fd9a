import { useId, type ComponentProps, type ReactNode } from 'react';
import { englishWords, mainWords, type Bilingual } from '../content/bilingual.ts';
import type { Languages } from './Button.tsx';
import { Inline } from './Inline.tsx';

interface Control {
  readonly id: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface Props {
  readonly label: Bilingual;
  readonly fault?: Bilingual | undefined;
  readonly wide?: boolean;
  readonly languages?: Languages;
  readonly children: (control: Control) => ReactNode;
}

/** Connects a form control with its label and its fault. */
export function Field({ label, fault, wide, languages = 'one', children }: Props) {
  const id = useId();
  const says = (text: Bilingual) => (languages === 'one' ? mainWords(text) : <Inline text={text} />);
  const title = (text: Bilingual) => (languages === 'one' ? englishWords(text) : undefined);
  return (
    <div className="field" data-wide={wide ? '' : undefined} data-fault={fault ? '' : undefined}>
      <label className="label" htmlFor={id} title={title(label)}>
        {says(label)}
      </label>
      {children({
        id,
        'aria-invalid': fault ? true : undefined,
        'aria-describedby': fault ? `${id}-fault` : undefined,
      })}
      {fault && (
        <p id={`${id}-fault`} className="hint" title={title(fault)}>
          {says(fault)}
        </p>
      )}
    </div>
  );
}

type Boxed<Element extends 'input' | 'textarea'> = Omit<Props, 'children'> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isFirst?: boolean;
  readonly most?: number | undefined;
} & Omit<ComponentProps<Element>, 'value' | 'onChange' | 'className'>;

export function TextField({ label, fault, wide, onChange, isFirst = false, most, ...rest }: Boxed<'input'>) {
  return (
    <Field label={label} fault={fault} {...(wide && { wide })}>
      {(control) => (
        <input
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press on the button above asked for this field
          autoFocus={isFirst}
          maxLength={most}
          autoComplete="off"
          {...control}
          {...rest}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

export function TextArea({ label, fault, wide, onChange, isFirst = false, most, ...rest }: Boxed<'textarea'>) {
  return (
    <Field label={label} fault={fault} {...(wide && { wide })}>
      {(control) => (
        <textarea
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press on the button above asked for this field
          autoFocus={isFirst}
          maxLength={most}
          {...control}
          {...rest}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface SelectProps extends Omit<Props, 'children'> {
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
  readonly isFirst?: boolean;
  readonly disabled?: boolean;
  readonly required?: boolean;
}

export function Select({ label, fault, wide, options, onChange, isFirst = false, ...rest }: SelectProps) {
  return (
    <Field label={label} fault={fault} {...(wide && { wide })}>
      {(control) => (
        <select
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press on the button above asked for this field
          autoFocus={isFirst}
          {...control}
          {...rest}
          onChange={(event) => onChange(event.target.value)}
        >
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
