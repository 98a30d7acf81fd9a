import { useEffect, useId, useState } from 'react';
import { FORM_ID } from '../agreements.ts';
import { mainWords } from '../content/bilingual.ts';
import { files as fileWords } from '../content/files.ts';
import { sharedItem as words } from '../content/shared-item.ts';
import { folioOf } from '../lead/folio.ts';
import { FIELDS, type Field } from '../lead/fields.ts';
import { readMessage } from '../lead/read-message.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { assistantValues } from '../phone/assistant-values.ts';
import { forgetShared, readShared, type SharedItem as Item } from '../phone/shared-item.ts';
import { Inline } from '../ui/Inline.tsx';
import { ActionLabel } from './ActionLabel.tsx';
import { addFile } from './add-file.ts';
import styles from './SharedItem.module.css';

interface Props {
  readonly entries: readonly Entry[];
  /**
   * Called once the item is used or discarded. `closes`: true if the list must close, because the form takes the focus.
   */
  readonly onDone: (closes: boolean) => void;
}

/**
 * Text and files that another app shared. Values found in the text are proposed in the form; files are attached to a
 * quote that the visitor chooses.
 */
export function SharedItem({ entries, onDone }: Props) {
  const id = useId();
  const [item, setItem] = useState<Item | null>();
  useEffect(() => {
    readShared().then(
      (read) => setItem(read ?? null),
      () => setItem(null),
    );
  }, []);
  const quotes = entries.filter(({ quote, state }) => quote && state.kind !== 'refused').toReversed();
  const [chosen, setChosen] = useState<string>();
  const [isAttaching, setAttaching] = useState(false);
  const quoteId = chosen ?? quotes[0]?.id;

  function end(closes: boolean) {
    forgetShared().catch(() => undefined);
    onDone(closes);
  }

  function propose({ text, files }: Item) {
    const found = readMessage(text);
    const values = FIELDS.flatMap((field): [Field, string][] => (found[field] ? [[field, found[field]]] : []));
    assistantValues.set(new Map([...assistantValues.read(), ...values]));
    toast(values.length > 0 ? words.proposes(values.length) : words.nothingRead, { duration: FORM_DURATION });
    // The list stays open for files that were shared with the text.
    if (files.length > 0) return setItem({ text: '', files });
    end(true);
    return document.querySelector<HTMLElement>(`#${FORM_ID} input`)?.focus();
  }

  /** Attaches the files to a quote. Files that cannot be attached stay here, for another quote. */
  async function attach({ text, files }: Item, target: string) {
    if (isAttaching) return;
    setAttaching(true);
    const left: File[] = [];
    for (const file of files) {
      const added = await addFile(target, file);
      const isAdded = typeof added !== 'string';
      if (!isAdded) left.push(file);
      toast(isAdded ? words.attached(folioOf(target)) : fileWords.not[added](file.name), {
        type: isAdded ? 'success' : 'error',
        about: `${target}${file.name}`,
      });
    }
    setAttaching(false);
    if (left.length > 0 || text) setItem({ text, files: left });
    else end(false);
  }

  if (item === undefined) return null;
  return (
    <section className={styles['shared']} aria-label={mainWords(words.title)}>
      <h3>
        <Inline text={words.title} />
      </h3>
      {!item && (
        <p>
          <Inline text={words.none} />
        </p>
      )}
      {item?.text && (
        <>
          <blockquote translate="no">{item.text}</blockquote>
          <button className="button" type="button" onClick={() => propose(item)}>
            <ActionLabel text={words.propose} />
          </button>
        </>
      )}
      {item && item.files.length > 0 && (
        <>
          <p translate="no">{item.files.map(({ name }) => name).join(', ')}</p>
          {quoteId ? (
            <div className="field">
              <label className="label" htmlFor={id}>
                <Inline text={words.attachTo} />
              </label>
              <select id={id} value={quoteId} onChange={({ target }) => setChosen(target.value)}>
                {quotes.map((entry) => (
                  <option key={entry.id} value={entry.id}>
                    {[folioOf(entry.id), entry.quote?.empresa].filter(Boolean).join(' · ')}
                  </option>
                ))}
              </select>
              <button
                className="button"
                type="button"
                aria-disabled={isAttaching}
                onClick={() => void attach(item, quoteId)}
              >
                <ActionLabel text={words.attach} />
              </button>
            </div>
          ) : (
            <p>
              <Inline text={words.noQuote} />
            </p>
          )}
        </>
      )}
      <button className="button plain" type="button" onClick={() => end(false)}>
        <ActionLabel text={words.discard} />
      </button>
    </section>
  );
}
