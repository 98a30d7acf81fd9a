import type { ComponentProps, ReactNode } from 'react';
import { config } from '../config.ts';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Leg } from '../ui/Leg.tsx';
import { Act } from './Act.tsx';
import styles from './Gate.module.css';
import { Labelled } from './Labelled.tsx';

interface Props {
  readonly title: Text;
  readonly why?: Text | undefined;
  /** What goes on behind it. */
  readonly news?: Text | undefined;
  readonly wrong: Text | undefined;
  readonly busy: boolean;
  readonly send: Text;
  readonly onSend: (form: FormData) => void;
  readonly boxes: ReactNode;
  readonly children?: ReactNode;
}

/** The stub in front of the desk. */
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
          <Act words={send} quiet={false} type="submit" aria-busy={busy} />
          {children}
        </form>
      </div>
    </main>
  );
}

type BoxProps = { readonly label: Text } & ComponentProps<'input'>;

export const Box = ({ label, ...input }: BoxProps) => (
  <Labelled label={label}>
    <input required {...input} />
  </Labelled>
);
