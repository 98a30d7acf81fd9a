import type { ComponentProps, ReactNode } from 'react';
import { config } from '../../config.ts';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Leg } from '../../ui/Leg.tsx';
import { Button } from '../../ui/Button.tsx';
import styles from './Gate.module.css';
import { Field } from '../../ui/Field.tsx';

interface Props {
  readonly title: Text;
  readonly why?: Text | undefined;
  /** News while the desk is locked. */
  readonly news?: Text | undefined;
  readonly wrong: Text | undefined;
  readonly busy: boolean;
  readonly send: Text;
  readonly onSend: (form: FormData) => void;
  readonly boxes: ReactNode;
  readonly children?: ReactNode;
}

/** The form in front of the desk. */
export function Gate({ title, why, news, wrong, busy, send, onSend, boxes, children }: Props) {
  return (
    <main className={styles['gate']}>
      <div className={`stub ${styles['stub']}`}>
        <header className={styles['head']}>
          <Leg flown={0.5} />
          <p className="label">{config.company.name}</p>
          <Bilingual as="h1" text={title} />
        </header>
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) onSend(new FormData(event.currentTarget));
          }}
        >
          {why && <Bilingual text={why} />}
          <div role="status">{news && <Bilingual text={news} />}</div>
          <div className={styles['boxes']}>{boxes}</div>
          <div role="alert">
            {wrong && (
              <div className={styles['wrong']}>
                <Bilingual text={wrong} />
              </div>
            )}
          </div>
          <Button words={send} quiet={false} type="submit" aria-busy={busy} />
          {children}
        </form>
      </div>
    </main>
  );
}

type BoxProps = { readonly label: Text } & ComponentProps<'input'>;

export const Box = ({ label, ...input }: BoxProps) => (
  <Field label={label}>{(control) => <input required {...control} {...input} />}</Field>
);
