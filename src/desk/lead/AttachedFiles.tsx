import { useEffect, useState } from 'react';
import { mainWords } from '../../content/bilingual.ts';
import { papers as words, sizeInWords } from '../../content/files.ts';
import { nameToSave } from '../../lead/files.ts';
import type { FileRow } from '../../lead/rows.ts';
import { Button } from '../../ui/Button.tsx';
import { download } from '../../ui/download.ts';
import { DONE, resultOf } from '../api/action-result.ts';
import { readFile, readPicture } from '../api/files.ts';
import { useAct, useRead } from '../context.ts';
import { SheetSection } from '../SheetSection.tsx';
import type { Lead } from './lead.ts';
import styles from './AttachedFiles.module.css';

/**
 * Attached files, each with a button that saves it; pictures have a thumbnail. No file is opened as a page of this
 * site, because a customer sent it.
 */
export function AttachedFiles({ lead, files }: { readonly lead: Lead; readonly files: readonly FileRow[] }) {
  const [busy, act] = useAct(lead);
  const save = (file: FileRow) =>
    resultOf(async () => {
      const content = await readFile(file);
      if (!content) return { kind: 'refused', says: words.broken };
      download(`${lead.folio} ${nameToSave(file)}`, 'application/octet-stream', [content]);
      return DONE;
    });
  return (
    <SheetSection title={words.title}>
      <ul className={styles['papers']}>
        {files.map((file) => (
          <li key={file.id} aria-busy={busy}>
            <Thumbnail file={file} isBusy={busy} />
            <span>
              <span translate="no" dir="auto">
                {file.nombre}
              </span>
              <small>
                {sizeInWords(file.bytes)}
                {!file.whole_at && ` · ${mainWords(words.coming)}`}
              </small>
            </span>
            {file.whole_at && (
              <Button
                words={words.save}
                aria-label={`${mainWords(words.save)} ${file.nombre}`}
                onClick={() => void act(() => save(file), words.saved)}
              />
            )}
          </li>
        ))}
      </ul>
    </SheetSection>
  );
}

/**
 * Thumbnail of an attached picture. A large picture is fetched only when the person saves it. `isBusy`: true while the
 * file is being saved; afterwards the thumbnail is read again and can show the picture.
 */
function Thumbnail({ file, isBusy }: { readonly file: FileRow; readonly isBusy: boolean }) {
  const { value } = useRead(`${file.whole_at} ${isBusy}`, () => readPicture(file));
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!value) return undefined;
    const address = URL.createObjectURL(new Blob([value], { type: file.tipo }));
    setUrl(address);
    return () => URL.revokeObjectURL(address);
  }, [value, file.tipo]);
  return url && <img className={styles['picture']} src={url} alt="" />;
}
