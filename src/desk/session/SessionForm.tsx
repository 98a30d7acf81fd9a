import { useState, type ComponentProps, type ReactNode } from 'react';
import { config } from '../../config.ts';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { FlightArc } from '../../ui/FlightArc.tsx';
import { Button } from '../../ui/Button.tsx';
import styles from './SessionForm.module.css';
import { Field } from '../../ui/Field.tsx';
import { useBusy } from '../use-busy.ts';

interface Props {
  readonly title: Text;
  readonly why?: Text | undefined;
  /** Sentence with the number of open leads, shown while the desk is locked. */
  readonly news?: Text | undefined;
  /** Fault that is shown from the beginning, for example that the account does not belong to the team. */
  readonly initialFault?: Text | undefined;
  readonly send: Text;
  /** False while the form has nothing to send. */
  readonly isReady?: boolean;
  /** Sends the form. Returns the fault, if any; after a success, another screen replaces the form. */
  readonly onSend: (text: (name: string) => string) => Promise<Text | undefined>;
  readonly boxes: ReactNode;
  readonly children?: ReactNode;
}

/** Form of a sign-in or a new password. */
export function SessionForm({ title, why, news, initialFault, send, isReady = true, onSend, boxes, children }: Props) {
  const [busy, runOnce] = useBusy();
  const [fault, setFault] = useState(initialFault);
  const submit = (form: FormData) =>
    runOnce(async () => {
      setFault(undefined);
      setFault(await onSend((name) => textOf(form.get(name))));
    });
  return (
    <main className={styles['page']}>
      <div className={`stub ${styles['stub']}`}>
        <header className={styles['head']}>
          <FlightArc flown={0.5} />
          <p className="label">{config.company.name}</p>
          <Bilingual as="h1" text={title} />
        </header>
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            void submit(new FormData(event.currentTarget));
          }}
        >
          {why && <Bilingual text={why} />}
          <div role="status">{news && <Bilingual text={news} />}</div>
          <div className={styles['boxes']}>{boxes}</div>
          <div role="alert">
            {fault && (
              <div className={styles['fault']}>
                <Bilingual text={fault} />
              </div>
            )}
          </div>
          {isReady && <Button words={send} quiet={false} type="submit" aria-busy={busy} />}
          {children}
        </form>
      </div>
    </main>
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

type BoxProps = { readonly label: Text } & ComponentProps<'input'>;

export const SessionField = ({ label, ...input }: BoxProps) => (
  <Field label={label}>{(control) => <input required {...control} {...input} />}</Field>
);
