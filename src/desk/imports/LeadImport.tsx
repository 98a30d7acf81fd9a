import { useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { leadDialog as words } from '../../content/import-dialog.ts';
import { importedRow, leadImport } from '../../content/lead-import.ts';
import {
  IMPORT_COLUMNS,
  importLeads,
  NEEDED_COLUMNS,
  readImportFile,
  readImportRows,
  recognisePlaces,
  type ImportFile,
  type Places,
} from '../../lead/lead-import.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Select } from '../../ui/Field.tsx';
import { storeImport } from '../api/lead-import.ts';
import { FileImport, type Chosen } from './FileImport.tsx';
import styles from './FileImport.module.css';

/**
 * Columns that the person can choose by hand. Further columns occur only in files of our own export, and are
 * recognised.
 */
const CHOSEN = IMPORT_COLUMNS.slice(0, 12);

interface LeadFile {
  readonly file: ImportFile;
  readonly places: Places;
}

export function LeadImport({ onClose }: { readonly onClose: () => void }) {
  const [read, setRead] = useState<LeadFile>();
  return (
    <FileImport
      texts={words}
      chosen={read && chosenOf(read, (places) => setRead({ ...read, places }))}
      onChoose={(text) => {
        const file = text === undefined ? undefined : readImportFile(text);
        setRead(file && { file, places: recognisePlaces(file.heading) });
      }}
      onClose={onClose}
    />
  );
}

function chosenOf({ file, places }: LeadFile, onPlaces: (places: Places) => void): Chosen {
  const lacks = NEEDED_COLUMNS.some((column) => places[column] === undefined);
  return {
    heading: file.heading,
    of: file.rows.length,
    lacks: lacks ? words.lacks : undefined,
    columns: <Columns file={file} places={places} onPlaces={onPlaces} />,
    run: async (isTrial, onProgress) => {
      await importLeads(
        readImportRows(file, places),
        (leads) => storeImport(leads, isTrial),
        (results) => onProgress(results.map((row) => importedRow(row, isTrial))),
      );
    },
  };
}

/** Fields that show which column of the file contains each value. The person can change a recognised column. */
function Columns({ file, places, onPlaces }: LeadFile & { readonly onPlaces: (places: Places) => void }) {
  const sample = (at: number) => file.rows[0]?.cells[at]?.slice(0, 24);
  return (
    <>
      <Bilingual text={words.columns(file.rows.length)} />
      <div className={styles['columns']}>
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
              onPlaces(at === '' ? others : { ...others, [column]: Number(at) });
            }}
          />
        ))}
      </div>
    </>
  );
}
