import type { Bilingual } from '../content/bilingual.ts';
import { Labelled } from './Labelled.tsx';

interface Props {
  readonly label: Bilingual;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isFirst?: boolean;
  readonly most?: number;
  readonly type?: 'date' | 'time';
  readonly min?: string;
}

/** One of a small form that a press has opened. */
export function Field({ label, onChange, isFirst = false, most, ...rest }: Props) {
  return (
    <Labelled label={label}>
      <input
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a press on the button above asked for this field
        autoFocus={isFirst}
        maxLength={most}
        autoComplete="off"
        {...rest}
        onChange={(event) => onChange(event.target.value)}
      />
    </Labelled>
  );
}
