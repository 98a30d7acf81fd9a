import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { countImport, errorsCsv, importSentence, isWrong, leadImport } from '../../content/lead-import.ts';
import { importDialog as words } from '../../content/import-dialog.ts';
import { decodeText } from '../../lead/csv-rows.ts';
import {
  IMPORT_COLUMNS,
  importLeads,
  NEEDED_COLUMNS,
  readImportFile,
  readImportRows,
  recognisePlaces,
  type ImportFile,
  type ImportResult,
  type Places,
} from '../../lead/lead-import.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { download } from '../../ui/download.ts';
import { Field, Select } from '../../ui/Field.tsx';
import { storeImport } from '../api/lead-import.ts';
import { RequestError } from '../api/request-error.ts';
import styles from './NewLead.module.css';

/** Columns that the person can choose by hand. Further columns come only from our own export, which is recognised. */
const CHOSEN = IMPORT_COLUMNS.slice(0, 12);
const MOST_BYTES = 20 * 1024 * 1024;
/** Most rows shown in the dialog; the file of errors has all. */
const MOST_SHOWN = 200;

interface Chosen {
  readonly name: string;
  readonly file: ImportFile;
  readonly places: Places;
}

/** Trial or import that runs: its results so far, and the number of all rows. */
interface Run {
  readonly isTrial: boolean;
  readonly of: number;
  readonly results: readonly ImportResult[];
  readonly state: 'running' | 'done' | 'stopped';
}

/** Dialog that imports leads from a file: first as a trial that stores nothing, row by row, then for good. */
export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<Chosen>();
  const [isTooLarge, setTooLarge] = useState(false);
  const [run, setRun] = useState<Run>();
  const isRunning = run?.state === 'running';
  const lacks = NEEDED_COLUMNS.some((column) => chosen?.places[column] === undefined);

  async function choose(file: File | undefined) {
    if (!file || isRunning) return;
    setRun(undefined);
    setTooLarge(file.size > MOST_BYTES);
    if (file.size > MOST_BYTES) return setChosen(undefined);
    const read = readImportFile(decodeText(new Uint8Array(await file.arrayBuffer())));
    setChosen({ name: file.name, file: read, places: recognisePlaces(read.heading) });
  }

  async function start(isTrial: boolean) {
    if (!chosen || lacks || isRunning) return;
    const rows = readImportRows(chosen.file, chosen.places);
    const of = rows.length;
    let last: readonly ImportResult[] = [];
    const show = (state: Run['state']) => setRun({ isTrial, of, results: last, state });
    show('running');
    try {
      await importLeads(
        rows,
        (leads) => storeImport(leads, isTrial),
        (results) => {
          last = [...results];
          show('running');
        },
      );
      show('done');
    } catch (error) {
      show('stopped');
      if (!(error instanceof RequestError)) throw error;
    }
  }

  return (
    <Dialog
      title={words.title}
      isWide
      onClose={onClose}
      actions={
        chosen && (
          <>
            {run?.state === 'done' && run.isTrial && countImport(run.results).stored > 0 ? (
              <Button
                words={words.store(countImport(run.results).stored)}
                quiet={false}
                onClick={() => void start(false)}
              />
            ) : (
              <Button
                words={run && !run.isTrial ? words.again : words.check}
                quiet={false}
                aria-disabled={lacks}
                aria-busy={isRunning}
                onClick={() => void start(!run || run.isTrial)}
              />
            )}
            {run && !isRunning && <Button words={words.back} onClick={() => setRun(undefined)} />}
            {run?.results.some(isWrong) && run.state !== 'running' && (
              <Button
                words={words.errors}
                onClick={() =>
                  download('errores.csv', 'text/csv', ['\ufeff', errorsCsv(chosen.file, run.results, mainWords)])
                }
              />
            )}
          </>
        )
      }
    >
      <Bilingual text={words.what} />
      <Field label={words.file} fault={isTooLarge ? words.tooLarge : undefined}>
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.tsv,.txt,text/csv"
            onChange={(event) => void choose(event.target.files?.[0])}
          />
        )}
      </Field>
      {chosen && !run && <Columns chosen={chosen} onChoose={(places) => setChosen({ ...chosen, places })} />}
      <div role="alert">{chosen && lacks && <Bilingual text={words.lacks} />}</div>
      {run && <Results run={run} />}
    </Dialog>
  );
}

interface ColumnsProps {
  readonly chosen: Chosen;
  readonly onChoose: (places: Places) => void;
}

/** Fields that say which column of the file has which of our values: as recognised, or as chosen by hand. */
function Columns({ chosen: { file, places }, onChoose }: ColumnsProps) {
  const sample = (at: number) => file.rows[0]?.cells[at]?.slice(0, 24);
  return (
    <>
      <Bilingual text={words.columns(file.rows.length)} />
      <div className={styles['fields']}>
        {CHOSEN.map((column) => (
          <Select
            key={column}
            label={leadImport.columns[column]}
            value={String(places[column] ?? '')}
            options={[
              ['', mainWords(words.none)],
              ...file.heading.map((name, at) => [String(at), [name, sample(at)].filter(Boolean).join(': ')] as const),
            ]}
            onChange={(at) => {
              const { [column]: _, ...others } = places;
              onChoose(at === '' ? others : { ...others, [column]: Number(at) });
            }}
          />
        ))}
      </div>
    </>
  );
}

function Results({ run: { isTrial, of, results, state } }: { readonly run: Run }) {
  const counts = countImport(results);
  const sorted = [...results.filter(isWrong), ...results.filter((row) => !isWrong(row))];
  const summary = isTrial ? words.wouldBe(counts) : words.done(counts);
  return (
    <>
      <div role="status">
        <Bilingual text={state === 'running' ? words.running(results.length, of) : summary} />
      </div>
      <div role="alert">
        {state === 'stopped' && (
          <>
            <Bilingual text={deskFailures.unreachable} />
            <Bilingual text={words.stopped(results.length, of)} />
          </>
        )}
      </div>
      {state === 'running' && <progress value={results.length} max={of} aria-label={mainWords(words.title)} />}
      {state !== 'running' && (
        <ul className={styles['results']}>
          {sorted.slice(0, MOST_SHOWN).map((row) => (
            <li key={row.line} data-wrong={isWrong(row) ? '' : undefined}>
              <b className="label">{mainWords(words.line(row.line))}</b>
              <p translate="no">{row.cells.filter(Boolean).slice(0, 4).join(' · ').slice(0, 120)}</p>
              <Bilingual text={importSentence(row, isTrial)} />
            </li>
          ))}
        </ul>
      )}
      {state !== 'running' && results.length > MOST_SHOWN && (
        <Bilingual text={words.more(results.length - MOST_SHOWN)} />
      )}
    </>
  );
}
