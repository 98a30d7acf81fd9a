import { mainWords } from '../../content/bilingual.ts';
import { papers as words, sizeInWords } from '../../content/files.ts';
import type { FileRow } from '../../lead/rows.ts';
import { Inline } from '../../ui/Inline.tsx';
import { Button } from '../../ui/Button.tsx';
import { useAct } from '../context.ts';
import type { Lead } from './lead.ts';
import { saveFile } from './save-file.ts';
import styles from './Papers.module.css';

interface Props {
  readonly lead: Lead;
  readonly files: readonly FileRow[];
}

/** What the sender attached. It is saved, and opened nowhere in here. */
export function Papers({ lead, files }: Props) {
  const [busy, act] = useAct(lead);

  return (
    <section className={styles['papers']} aria-labelledby="papers">
      <h3 id="papers" className="label">
        <Inline text={words.title} />
      </h3>
      <ul>
        {files.map((file) => (
          <li key={file.id} aria-busy={busy}>
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
                onClick={() => void act(() => saveFile(file, lead.folio), words.saved)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
