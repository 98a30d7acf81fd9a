import { useEffect, useRef } from 'react';
import { mainWords } from '../content/bilingual.ts';
import { fieldWords, valueInWords } from '../content/fields.ts';
import { OPTIONAL } from '../lead/fields.ts';
import { receipt as words } from '../content/quote-states.ts';
import { StorageLine } from '../phone/StorageLine.tsx';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { Leg } from '../ui/Leg.tsx';
import { later } from '../ui/later.tsx';
import { WholeInline } from '../ui/whole.tsx';
import { useStore } from '../ui/store.ts';
import { describeEntry, FLOWN } from './describe-entry.ts';
import { RememberMe } from './RememberMe.tsx';
import type { Entry } from '../outbox/entry.ts';
import { folioOf } from '../lead/folio.ts';
import type { Quote } from '../lead/quote.ts';
import { sendsClosed } from '../phone/keep-sending.ts';
import styles from './Receipt.module.css';
import { askToCorrect } from '../phone/draft.ts';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';
import { wasDelivered } from '../outbox/state.ts';

const Answers = later(() => import('./Answers.tsx').then((module) => module.Answers));
const AnswerAlert = later(() => import('./AnswerAlert.tsx').then((module) => module.AnswerAlert));
const Another = later(() => import('./Another.tsx').then((module) => module.Another));
const Details = later(() => import('./Details.tsx').then((module) => module.Details));
const Files = later(() => import('./Files.tsx').then((module) => module.Files));
const OtherPhone = later(() => import('./OtherPhone.tsx').then((module) => module.OtherPhone));
const Promotions = later(() => import('./Promotions.tsx').then((module) => module.Promotions));
const HandOff = later(() => import('./HandOff.tsx').then((module) => module.HandOff));

interface Props {
  readonly entry: Entry;
  readonly replacedBy?: string | undefined;
  /** The answer to a press: it comes into view, and takes the focus that the form lost while it was busy. */
  readonly isNew?: boolean;
  /** The form takes over. */
  readonly onCorrect?: () => void;
  /** A copy of it was made, with this id. */
  readonly onMade?: (id: string) => void;
}

/** One that is known already is not this one. */
const isCorrectable = ({ state }: Entry) => state.kind !== 'refused' || state.refusal.kind !== 'known';

/** The team has a quote under this id: what corrects it is a new one. */
const isDelivered = ({ state }: Entry) =>
  wasDelivered(state) || (state.kind === 'refused' && state.refusal.kind === 'superseded');

/** Of a call the sales team may have written down no more than who called. */
function inShort({ peso, tipo_carga, empresa }: Quote): string {
  const { choices } = fieldWords.tipo_carga;
  return [
    peso !== 0 && `${peso.toLocaleString('es-MX')} ${mainWords(words.perMonth)}`,
    tipo_carga && mainWords(choices[tipo_carga]),
    empresa,
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The stub of the waybill that its sender keeps. */
export function Receipt({ entry, replacedBy, isNew = false, onCorrect, onMade }: Props) {
  const { quote } = entry;
  const stub = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isNew) return;
    stub.current!.scrollIntoView({ block: 'start' });
    if (document.activeElement === document.body) stub.current!.focus({ preventScroll: true });
  }, [isNew]);
  function correct() {
    onCorrect?.();
    const delivered = isDelivered(entry);
    const promociones = !delivered && quote!.promociones === true;
    askToCorrect({ quote: quote!, delivered, promociones, replaced: entry.replaced });
  }
  const now = useNow();
  const beside = { replacedBy, sendsClosed: useStore(sendsClosed) };
  const { look, word, next } = describeEntry(entry, now, useOnline(), beside);
  return (
    <article
      ref={stub}
      tabIndex={isNew ? -1 : undefined}
      className={`stub ${styles['receipt']} ${styles[look]}`}
      aria-label={`${mainWords(words.title)} ${folioOf(entry.id)}`}
    >
      <header>
        <p className="label">
          <Inline text={words.folio} />
        </p>
        <p className={styles['folio']} translate="no">
          {folioOf(entry.id)}
        </p>
        <p className={styles['state']}>
          <Inline text={word} />
        </p>
        <Leg flown={FLOWN[look]} />
      </header>
      <hr className={styles['tear']} />
      <div className={styles['body']}>
        {quote ? (
          <p>{inShort(quote)}</p>
        ) : (
          <p>
            <Inline text={words.forgotten} />
          </p>
        )}
        {quote && (
          <div className={styles['contact']}>
            <p>
              <span>{quote.nombre}</span> ·{' '}
              {quote.email && (
                <>
                  <span>{quote.email}</span> ·{' '}
                </>
              )}
              <span className={styles['phone']}>{quote.telefono}</span>
            </p>
            {OPTIONAL.map((field) =>
              quote[field] === undefined ? undefined : (
                <p key={field} data-field={field}>
                  {mainWords(fieldWords[field].label)}: {valueInWords(field, quote[field])}
                </p>
              ),
            )}
            {quote.reemplaza && (
              <p>
                <WholeInline text={words.replaces(quote.reemplaza)} />
              </p>
            )}
            {quote.igual && (
              <p>
                <WholeInline text={words.sameAs(quote.igual)} />
              </p>
            )}
            <div>
              {isCorrectable(entry) && !replacedBy && (
                <button className="button plain" type="button" onClick={correct}>
                  <ButtonWords text={words.correct} />
                </button>
              )}
              <Another quote={quote} onCorrect={onCorrect} onMade={onMade} />
            </div>
            {isNew && <RememberMe quote={quote} />}
          </div>
        )}
        <div role="status">
          {next.map((text) => (
            <p key={mainWords(text)}>
              <WholeInline text={text} />
            </p>
          ))}
        </div>
        {quote && entry.state.kind !== 'refused' && !replacedBy && <Details entry={entry} quote={quote} now={now} />}
        {quote && entry.state.kind !== 'refused' && !replacedBy && <Files entry={entry} />}
        {entry.answers.length > 0 && <Answers entry={entry} now={now} />}
        {quote && look === 'delivered' && !replacedBy && <AnswerAlert id={entry.id} />}
        {quote && entry.state.kind === 'delivered' && <OtherPhone entry={entry} />}
        {quote?.promociones && entry.state.kind === 'delivered' && <Promotions entry={entry} />}
        {entry.state.kind === 'waiting' && <StorageLine />}
        {quote && entry.state.kind === 'waiting' && look === 'waiting' && <HandOff quote={quote} />}
      </div>
    </article>
  );
}
