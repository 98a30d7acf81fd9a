import { useEffect, useRef, useState, type ChangeEvent } from 'react';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
import { files as words, sizeInWords } from '../content/files.ts';
import { myData } from '../content/quote-states.ts';
import { MOST_FILES, partsOf, readFileFacts } from '../lead/files.ts';
import { messagesOfKind, type Message } from '../lead/messages.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { deleteUnusedFiles } from '../outbox/file-store.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { passFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { once } from '../ui/once.ts';
import { addFile } from './add-file.ts';
import styles from './Files.module.css';

/** Deletes the files of removed quotes, at most once per page. */
const tidyFiles = once(() => deleteUnusedFiles(outbox).catch(() => undefined));

/**
 * Pictures and documents of a quote. They are stored on the phone first, and sent in parts after all quotes and
 * messages.
 */
export function Files({ entry }: { readonly entry: Entry }) {
  const { id, messages } = entry;
  const [isPreparing, setPreparing] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => void tidyFiles(), []);
  const attached = messagesOfKind(messages, 'archivo');
  const isFull = attached.filter(({ state }) => state.kind !== 'refused').length >= MOST_FILES;

  async function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const chosen = [...(target.files ?? [])];
    // The input is emptied: otherwise the browser would report no change if the visitor removes a file and chooses it
    // again.
    target.value = '';
    setPreparing(true);
    for (const file of chosen) {
      const added = await addFile(id, file);
      if (typeof added === 'string' || added.isKnown)
        toast((typeof added === 'string' ? words.not[added] : words.known)(file.name), {
          type: 'error',
          duration: FORM_DURATION,
          about: `${id}${file.name}`,
        });
    }
    setPreparing(false);
  }

  // Files are identified by their hashes, which browsers compute only on HTTPS pages.
  if (!(crypto.subtle as SubtleCrypto | undefined)) return null;
  return (
    <section className={styles['files']} tabIndex={-1} aria-label={mainWords(words.title)}>
      {attached.length > 0 && (
        <ul>
          {attached.map((file) => (
            <AttachedFile key={file.id} quoteId={id} file={file} />
          ))}
        </ul>
      )}
      <p role="status">{isPreparing && <Inline text={words.preparing} />}</p>
      <input ref={input} type="file" multiple hidden accept="image/*,application/pdf" onChange={choose} />
      {(!isFull || isPreparing) && (
        <>
          <button
            ref={passFocusOn}
            className="button plain"
            type="button"
            aria-disabled={isPreparing}
            onClick={() => isPreparing || input.current!.click()}
          >
            <ActionLabel text={words.add} />
          </button>
          {attached.length === 0 && (
            <p className={styles['how']}>
              <Inline text={words.how(MOST_FILES)} />
            </p>
          )}
        </>
      )}
    </section>
  );
}

/**
 * When a file is removed, moves the focus to the button that adds files, or to the section if that button is hidden.
 */
const passFocusOn = passFocus((button) => {
  const section = button.closest('section')!;
  const add = section.querySelector(':scope > button');
  return add === button ? section : (add ?? section);
});

function stateText({ state, details }: Message<'archivo'>): Bilingual {
  if (state.kind === 'delivered') return words.states.delivered;
  if (state.kind === 'refused') {
    const code = state.refusal.kind === 'rejected' ? state.refusal.code : '';
    return code === 'gone' || code === 'damaged' ? words.states[code] : words.states.refused;
  }
  const facts = readFileFacts(details);
  if (!state.come || !facts) return words.states.waiting;
  return words.states.onItsWay(Math.min(99, Math.floor((100 * state.come) / partsOf(facts))));
}

interface AttachedProps {
  readonly quoteId: string;
  readonly file: Message<'archivo'>;
}

function AttachedFile({ quoteId, file }: AttachedProps) {
  const facts = readFileFacts(file.details);
  const name = facts?.nombre ?? '?';

  async function remove() {
    try {
      await outbox.removeMessage(quoteId, file.id);
    } catch {
      toast(myData.notChanged, { type: 'error', about: file.id });
    }
  }

  return (
    <li data-state={file.state.kind}>
      <b translate="no">{name}</b>
      <p>
        {facts && `${sizeInWords(facts.bytes)} · `}
        <Inline text={stateText(file)} />
      </p>
      {file.state.kind !== 'delivered' && (
        <button ref={passFocusOn} className="button plain" type="button" onClick={() => void remove()}>
          <ActionLabel text={words.remove(name)} />
        </button>
      )}
    </li>
  );
}
