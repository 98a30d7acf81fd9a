import { useId, type ComponentProps, type ReactNode } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { quoteForm } from '../content/quote-form.ts';
import { Inline } from '../ui/Inline.tsx';
import type { Field as Name } from './quote.ts';

interface Props {
  readonly name: Name;
  readonly fault: Bilingual | undefined;
  /** Instead of an input: a control that takes these. */
  readonly children?: (control: ComponentProps<'select'>) => ReactNode;
}

/** Joins label, hint, input and what is wrong with it, once for all six. */
export function Field({ name, fault, children, ...input }: Props & Omit<ComponentProps<'input'>, 'children' | 'name'>) {
  const id = useId();
  const { label, hint, placeholder } = quoteForm.fields[name];
  const descriptions = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const control = {
    id,
    name,
    'aria-invalid': fault ? true : undefined,
    'aria-required': true,
    'aria-describedby': descriptions || undefined,
  } as const;
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        <Inline text={label} />
      </label>
      {children ? children(control) : <input {...control} placeholder={placeholder} {...input} />}
      {hint && (
        <p id={`${id}-hint`} className="hint">
          <Inline text={hint} />
        </p>
      )}
      {fault && (
        <p id={`${id}-fault`}>
          <Inline text={fault} />
        </p>
      )}
    </div>
  );
}
