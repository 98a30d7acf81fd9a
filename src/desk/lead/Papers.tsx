import { useState } from 'react';
import { mainWords, type Bilingual } from '../../content/bilingual.ts';
import { papers as words, sizeInWords } from '../../content/files.ts';
import type { FileRow } from '../../lead/rows.ts';
import { Inline } from '../../ui/Inline.tsx';
import { Button } from '../../ui/Button.tsx';
import type { Ending } from '../api/ending.ts';
import { saveFile } from './save-file.ts';
import styles from './Papers.module.css';

interface Props {
  readonly folio: string;
  readonly files: readonly FileRow[];
  readonly tell: (ended: Ending, done?: Bilingual) => void;
}

/** What the sender attached. It is saved, and opened nowhere in here. */
export function Papers({ folio, files, tell }: Props) {
  const [busy, setBusy] = useState<string>();

  async function download(file: FileRow) {
    if (busy) return;
    setBusy(file.id);
    tell(await saveFile(file, folio), words.saved);
    setBusy(undefined);
  }

  return (
    <section className={styles['papers']} aria-labelledby="papers">
      <h3 id="papers" className="label">
        <Inline text={words.title} />
      </h3>
      <ul>
        {files.map((file) => (
          <li key={file.id} aria-busy={busy === file.id}>
            <span>
              <span translate="no" dir="auto">
                {file.nombre}
              </span>
              <small>
                {sizeInWords(file.bytes)}
                {!file.whole_at && (
                  <>
                    {' '}
                    · <Inline text={words.coming} />
                  </>
                )}
              </small>
            </span>
            {file.whole_at && (
              <Button
                words={words.save}
                aria-label={`${mainWords(words.save)} ${file.nombre}`}
                onClick={() => void download(file)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
