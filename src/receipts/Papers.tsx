import { useEffect, useId, useRef, useState } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { files as fileWords } from '../content/files.ts';
import { papers as words, paperWords } from '../content/papers.ts';
import { receipt } from '../content/quote-states.ts';
import { joined } from '../content/sentences.ts';
import type { DeliveryState } from '../lead/delivery-state.ts';
import type { Details } from '../lead/details.ts';
import { messagesOfKind } from '../lead/messages.ts';
import {
  isUnadmitted,
  lastOfEach,
  PAPERS,
  papersFor,
  readPaperFacts,
  type Paper,
  type PaperFacts,
  type PaperRow,
  type PaperState,
} from '../lead/papers.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import type { Entry } from '../outbox/entry.ts';
import { Inline } from '../ui/Inline.tsx';
import { PaperSelect } from '../ui/PaperSelect.tsx';
import paperStyles from '../ui/PaperSelect.module.css';
import { useOnline } from '../ui/use-online.ts';
import { ActionLabel } from './ActionLabel.tsx';
import { addFile } from './add-file.ts';
import { currentDetails } from './current-details.ts';
import { fetchDetails, fetchPapers } from './fetch-details.ts';
import styles from './Papers.module.css';
import { sendMessage } from './send-message.ts';
import { toastNotStored } from './toast-not-stored.ts';

interface Props {
  readonly entry: Entry;
  readonly quote: Quote;
}

/**
 * Shipping documents that the exporter's goods need. The exporter chooses the state of each document. A choice is sent
 * once the quote is delivered, and can change even after the offer was accepted.
 */
export function Papers({ entry, quote }: Props) {
  const { id, messages } = entry;
  const isOnline = useOnline();
  const isDelivered = entry.state.kind === 'delivered';
  const marks = messagesOfKind(messages, 'papel');
  const lastDetails = messagesOfKind(messages, 'detalles').at(-1);
  const waiting = [...marks, lastDetails].filter((message) => message?.state.kind === 'waiting').length;
  /** States of the documents and shipment details on the server, entered on this phone, another phone or the desk. */
  const [rows, setRows] = useState<readonly PaperRow[]>([]);
  const [serverDetails, setServerDetails] = useState<Details | null>();
  useEffect(() => {
    let isObsolete = false;
    if (isOnline && isDelivered && waiting === 0)
      void Promise.all([fetchPapers(id), fetchDetails(id)]).then(([papers, details]) => {
        if (isObsolete) return;
        // If the server did not respond, `papers` or `details` is undefined, and the earlier value stays.
        if (papers) setRows(papers);
        if (details !== undefined) setServerDetails(details);
      });
    return () => void (isObsolete = true);
  }, [id, isOnline, isDelivered, waiting]);
  const product = { producto: currentDetails(messages, serverDetails).producto ?? '' };
  const shown = papersFor(product, quote);
  const unstored = marks.flatMap(({ id: messageId, details, state }) => {
    const facts = rows.some((row) => row.id === messageId) ? undefined : readPaperFacts(details);
    return facts ? [{ ...facts, send: state.kind }] : [];
  });
  const states = lastOfEach<PaperFacts>([...rows, ...unstored.filter(({ send }) => send !== 'refused')]);
  const sends = lastOfEach(unstored);

  async function mark(papel: Paper, estado: PaperState, archivo?: string) {
    const details = { papel, estado, ...(archivo && { archivo }) };
    const ending = await sendMessage(id, { id: newId(), kind: 'papel', details });
    if (ending === 'unsaved') toastNotStored(id);
  }

  async function attach(papel: Paper, file: File) {
    const added = await addFile(id, file);
    if (typeof added === 'string')
      toast(fileWords.not[added](file.name), { type: 'error', duration: FORM_DURATION, about: `${id}${file.name}` });
    else await mark(papel, 'tengo', added.id);
  }

  return (
    <section className={styles['papers']} aria-label={mainWords(receipt.papers)}>
      <p>
        <Inline text={words.guide} />
      </p>
      {isUnadmitted(product) && (
        <p role="note">
          <Inline text={words.unadmitted} />
        </p>
      )}
      <ul>
        {shown.map((paper) => (
          <PaperLine
            key={paper}
            paper={paper}
            state={states.get(paper)}
            send={sends.get(paper)?.send}
            onMark={(estado) => void mark(paper, estado)}
            onAttach={(file) => void attach(paper, file)}
          />
        ))}
      </ul>
      {!product.producto && (
        <p>
          <Inline text={words.noProduct} />
        </p>
      )}
    </section>
  );
}

/** Files are identified by their hashes, which browsers compute only on HTTPS pages. */
const canHash = Boolean(crypto.subtle as SubtleCrypto | undefined);

interface LineProps {
  readonly paper: Paper;
  readonly state: PaperFacts | undefined;
  /**
   * Delivery state of the exporter's last choice for this document; undefined once the server has confirmed the choice.
   */
  readonly send: DeliveryState['kind'] | undefined;
  readonly onMark: (estado: PaperState) => void;
  readonly onAttach: (file: File) => void;
}

function PaperLine({ paper, state, send, onMark, onAttach }: LineProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { isNeeded, takes, daysBefore } = PAPERS[paper];
  const { name, issuer } = paperWords[paper];
  const facts = [
    issuer,
    isNeeded ? words.needed : words.ask,
    ...(takes ? [words.takes(takes)] : []),
    words.before(daysBefore),
  ];
  const isUnsent = send === 'waiting' || send === 'refused';
  return (
    <li className={`${styles['line']} ${paperStyles['paper']}`} data-state={state?.estado}>
      <label htmlFor={id}>
        <Inline text={name} />
      </label>
      <small>
        <Inline text={joined(facts, ' · ')} />
      </small>
      <div className={styles['acts']}>
        <PaperSelect id={id} state={state?.estado} words={words.states} onMark={onMark} />
        <input
          ref={input}
          type="file"
          hidden
          accept="image/*,application/pdf"
          onChange={({ target }) => {
            const file = target.files?.[0];
            target.value = '';
            if (file) onAttach(file);
          }}
        />
        {canHash && (
          <button
            className="button plain"
            type="button"
            aria-label={`${mainWords(words.attach)}: ${mainWords(name)}`}
            onClick={() => input.current!.click()}
          >
            <ActionLabel text={words.attach} />
          </button>
        )}
      </div>
      <p role="status">
        {state?.archivo && <Inline text={words.attached} />}
        {state?.archivo && isUnsent && ' · '}
        {isUnsent && <Inline text={words.sends[send]} />}
      </p>
    </li>
  );
}
