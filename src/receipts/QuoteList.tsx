import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { englishWords, mainWords } from '../content/bilingual.ts';
import { fieldWords } from '../content/fields.ts';
import { priceInWords } from '../content/prices.ts';
import { receipt } from '../content/quote-states.ts';
import { joined } from '../content/sentences.ts';
import { folioOf } from '../lead/folio.ts';
import { messagesOfKind } from '../lead/messages.ts';
import { replacementOf, unsentIn, type Entry } from '../outbox/entry.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Inline } from '../ui/Inline.tsx';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { describeEntry } from './describe-entry.ts';
import { EntryActions, SendNow } from './EntryActions.tsx';
import { isUrgent, byUrgency } from './quote-order.ts';
import { Receipt } from './Receipt.tsx';
import styles from './QuoteList.module.css';

interface Props {
  readonly entries: readonly Entry[];
  /** Ids of quotes that a share link has just brought: they come first, and the first of them is open. */
  readonly opened: readonly string[];
  /** True if the visitor pressed the link above the hero. That link is about the first quote, so the list opens it. */
  readonly opensFirst: boolean;
  readonly onCorrect: () => void;
  readonly onRemoved: () => void;
}

/** List of all quotes, with news first. At most one quote is open and shows its receipt. */
export function QuoteList({ entries, opened, opensFirst, onCorrect, onRemoved }: Props) {
  /** Ids in the order in which the list first showed them. Reading an answer must not move the rows. */
  const [order, setOrder] = useState<readonly string[]>([]);
  const [open, setOpen] = useState<string>();
  const [copyId, setCopyId] = useState<string>();
  /** Id of a removed quote that the visitor restored. */
  const [restored, setRestored] = useState<string>();
  const [shownOpened, setShownOpened] = useState(opened);

  const added = byUrgency(entries.filter(({ id }) => !order.includes(id)));
  if (added.length > 0) {
    setOrder([...added.map(({ id }) => id), ...order]);
    const [first] = added;
    if (order.length === 0 && first && (opensFirst || added.length === 1 || isUrgent(first, entries)))
      setOpen(first.id);
  }
  if (opened !== shownOpened) {
    setShownOpened(opened);
    setOrder([...opened, ...order.filter((id) => !opened.includes(id))]);
    setOpen(opened[0]);
  }

  const rows = entries.toSorted((a, b) => order.indexOf(a.id) - order.indexOf(b.id));
  return (
    <ul className={styles['list']}>
      {rows.map((entry) => {
        const { id } = entry;
        const acts = (
          <EntryActions
            entry={entry}
            onRemoved={onRemoved}
            onRestored={() => {
              setRestored(id);
              setOpen(id);
            }}
          />
        );
        return (
          <li key={id} {...(id === restored && { ref: scrollToRestored, tabIndex: -1 })}>
            <ErrorBoundary
              otherwise={
                <>
                  <p>
                    {folioOf(id)} · <Inline text={receipt.unshown} />
                  </p>
                  {acts}
                </>
              }
            >
              <Row
                entry={entry}
                isAlone={entries.length === 1}
                isOpen={open === id || entries.length === 1}
                onPress={() => setOpen(open === id ? undefined : id)}
              >
                <Receipt
                  entry={entry}
                  replacedBy={replacementOf(entry, entries)}
                  isNew={id === copyId}
                  onCorrect={onCorrect}
                  onRepeated={(copy) => {
                    setCopyId(copy);
                    setOpen(copy);
                  }}
                  mainAction={unsentIn([entry]).length > 0 && <SendNow entry={entry} />}
                  otherActions={acts}
                />
              </Row>
            </ErrorBoundary>
          </li>
        );
      })}
    </ul>
  );
}

function scrollToRestored(item: HTMLElement | null): void {
  item?.scrollIntoView({ block: 'start' });
  item?.focus({ preventScroll: true });
}

interface RowProps {
  readonly entry: Entry;
  /** True if the list has a single quote. Its receipt is then shown without a row above. */
  readonly isAlone: boolean;
  readonly isOpen: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

function Row({ entry, isAlone, isOpen, onPress, children }: RowProps) {
  const { id, quote, answers, messages } = entry;
  const button = useRef<HTMLButtonElement>(null);
  const { look, word } = describeEntry(entry, useNow(), useOnline());
  useLayoutEffect(() => {
    // Another receipt, above this row, may have closed and moved this row out of sight.
    if (isOpen && document.activeElement === button.current) button.current?.scrollIntoView({ block: 'start' });
  }, [isOpen]);

  const product = messagesOfKind(messages, 'detalles').at(-1)?.details['producto'];
  const cargo = typeof product === 'string' ? { es: product, en: '' } : cargoOf(entry);
  const kilos = quote?.peso ? `${quote.peso.toLocaleString('es-MX')}\u00a0kg` : '';
  const price = answers.findLast((answer) => answer.price)?.price;
  return (
    <>
      {!isAlone && (
        <button
          ref={button}
          className={styles['row']}
          type="button"
          aria-expanded={isOpen}
          data-look={look}
          title={englishWords(joined([cargoOf(entry), word], ' · '))}
          onClick={onPress}
        >
          <b translate="no">{folioOf(id)}</b>
          <span className={styles['state']}>{mainWords(word)}</span>
          <span>{[cargo && mainWords(cargo), kilos].filter(Boolean).join(' · ') || mainWords(receipt.forgotten)}</span>
          {price && <span className={styles['price']}>{mainWords(priceInWords(price))}</span>}
        </button>
      )}
      {isOpen && children}
    </>
  );
}

const cargoOf = ({ quote }: Entry) => (quote?.tipo_carga ? fieldWords.tipo_carga.choices[quote.tipo_carga] : undefined);
