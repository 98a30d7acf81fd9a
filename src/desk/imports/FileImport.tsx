import { useRef, useState, type ReactNode } from 'react';
import { mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { importDialog as words, type ImportWords } from '../../content/import-dialog.ts';
import { countImport, errorsCsv, type ImportedRow } from '../../content/imported-rows.ts';
import { decodeText } from '../../lead/csv-rows.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button } from '../../ui/Button.tsx';
import { ButtonWords } from '../../ui/ButtonWords.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { download } from '../../ui/download.ts';
import { Field } from '../../ui/Field.tsx';
import { RequestError } from '../api/request-error.ts';
import styles from './FileImport.module.css';

const MOST_BYTES = 20 * 1024 * 1024;
/** Maximum number of rows that the dialog shows. The file of errors contains all wrong rows. */
const MOST_SHOWN = 200;

/** File whose columns are recognised, or chosen by hand. */
export interface Chosen {
  readonly heading: readonly string[];
  /** Number of rows. */
  readonly of: number;
  /** Reason why the rows cannot be read yet. */
  readonly lacks?: Text | undefined;
  /** Fields with which the person chooses the columns; absent if there is nothing to choose. */
  readonly columns?: ReactNode;
  /**
   * Imports the rows; a trial only finds out what an import would do. Calls `onProgress` with the rows handled so far.
   */
  readonly run: (isTrial: boolean, onProgress: (rows: readonly ImportedRow[]) => void) => Promise<void>;
}

interface Props {
  readonly texts: ImportWords;
  readonly chosen: Chosen | undefined;
  /** Text of a chosen file; undefined for a file that is too large. */
  readonly onChoose: (text: string | undefined) => void;
  readonly onClose: () => void;
}

/** Trial or import, with the rows handled so far. */
interface Run {
  readonly isTrial: boolean;
  readonly rows: readonly ImportedRow[];
  readonly state: 'running' | 'done' | 'stopped';
}

/** Dialog that imports a file. A trial comes first, which stores nothing and shows the result for each row. */
export function FileImport({ texts, chosen, onChoose, onClose }: Props) {
  const [fault, setFault] = useState<Text>();
  const [run, setRun] = useState<Run>();
  const [name, setName] = useState('');
  const main = useRef<HTMLButtonElement>(null);
  const isRunning = run?.state === 'running';

  async function choose(file: File | undefined) {
    if (!file || isRunning) return;
    setRun(undefined);
    setName(file.name);
    const text = file.size > MOST_BYTES ? undefined : decodeText(new Uint8Array(await file.arrayBuffer()));
    const isEmpty = text?.trim() === '';
    setFault(isEmpty ? words.empty : text === undefined ? words.tooLarge : undefined);
    onChoose(isEmpty ? undefined : text);
  }

  async function start(isTrial: boolean) {
    if (!chosen || chosen.lacks || isRunning) return;
    let rows: readonly ImportedRow[] = [];
    const show = (state: Run['state']) => setRun({ isTrial, rows, state });
    show('running');
    try {
      await chosen.run(isTrial, (sofar) => {
        rows = sofar;
        show('running');
      });
      show('done');
    } catch (error) {
      show('stopped');
      if (!(error instanceof RequestError)) throw error;
    }
  }

  const counts = countImport(run?.rows ?? []);
  return (
    <Dialog
      title={texts.title}
      isWide
      onClose={onClose}
      actions={
        chosen && (
          <>
            {run?.state === 'done' && run.isTrial && counts.stored > 0 ? (
              <Button ref={main} words={texts.store(counts.stored)} quiet={false} onClick={() => void start(false)} />
            ) : (
              <Button
                ref={main}
                words={run && !run.isTrial ? words.again : words.check}
                quiet={false}
                aria-disabled={chosen.lacks !== undefined}
                aria-busy={isRunning}
                onClick={() => void start(!run || run.isTrial)}
              />
            )}
            {run && !isRunning && chosen.columns && (
              <Button
                words={words.back}
                onClick={() => {
                  setRun(undefined);
                  // The pressed button disappears and would take the focus with it, so the focus moves to the main
                  // button.
                  main.current?.focus();
                }}
              />
            )}
            {run && !isRunning && counts.wrong > 0 && (
              <Button
                words={words.errors}
                onClick={() =>
                  download('errores.csv', 'text/csv', ['\ufeff', errorsCsv(chosen.heading, run.rows, mainWords)])
                }
              />
            )}
          </>
        )
      }
    >
      <Bilingual text={texts.what} />
      <Field label={words.file} fault={fault}>
        {(control) => (
          <div className={styles['file']}>
            <input
              {...control}
              className="hidden"
              type="file"
              accept=".csv,.tsv,.txt,text/csv"
              onChange={({ target }) => {
                void choose(target.files?.[0]);
                // The person may choose the same file again after correcting it. If the input still contained that
                // file, the browser would report no change.
                target.value = '';
              }}
            />
            <label className="button plain" htmlFor={control.id}>
              <ButtonWords text={name ? words.chooseAnother : words.choose} />
            </label>
            <span translate="no">{name}</span>
          </div>
        )}
      </Field>
      {!run && chosen?.columns}
      <div role="alert">{chosen?.lacks && <Bilingual text={chosen.lacks} />}</div>
      {chosen && run && <Results texts={texts} run={run} of={chosen.of} />}
    </Dialog>
  );
}

interface ResultsProps {
  readonly texts: ImportWords;
  readonly run: Run;
  readonly of: number;
}

function Results({ texts, run: { isTrial, rows, state }, of }: ResultsProps) {
  const counts = countImport(rows);
  const isWrong = ({ became }: ImportedRow) => became === 'wrong';
  const sorted = [...rows.filter(isWrong), ...rows.filter((row) => !isWrong(row))];
  const summary = isTrial ? texts.wouldBe(counts) : texts.done(counts);
  return (
    <>
      <div role="status">
        <Bilingual text={state === 'running' ? words.running(rows.length, of) : summary} />
      </div>
      <div role="alert">
        {state === 'stopped' && (
          <>
            <Bilingual text={deskFailures.unreachable} />
            <Bilingual text={words.stopped(rows.length, of)} />
          </>
        )}
      </div>
      {state === 'running' && <progress value={rows.length} max={of} aria-label={mainWords(texts.title)} />}
      {state !== 'running' && (
        <ul className={styles['rows']}>
          {sorted.slice(0, MOST_SHOWN).map((row) => (
            <li key={row.line} data-wrong={isWrong(row) ? '' : undefined}>
              <b className="label">{mainWords(words.line(row.line))}</b>
              <p translate="no">{row.cells.filter(Boolean).slice(0, 4).join(' · ').slice(0, 120)}</p>
              <Bilingual text={row.says} />
            </li>
          ))}
        </ul>
      )}
      {state !== 'running' && rows.length > MOST_SHOWN && <Bilingual text={words.more(rows.length - MOST_SHOWN)} />}
    </>
  );
}
