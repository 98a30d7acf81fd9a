import { useEffect, useRef, useState } from 'react';
import { QUOTES_ADDRESS } from '../agreements.ts';
import { englishWords, mainWords, type Bilingual } from '../content/bilingual.ts';
import { receipt as words, tray } from '../content/quote-states.ts';
import { Inline } from '../ui/Inline.tsx';
import { FlightArc } from '../ui/FlightArc.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { NoBreakInline } from '../ui/no-break.tsx';
import { useStore } from '../ui/store.ts';
import { acceptableOffer, serverNow } from './describe-answer.ts';
import { describeEntry, FLOWN } from './describe-entry.ts';
import {
  Additions,
  Correct,
  hasClosedAdditions,
  isSummaryInMore,
  More,
  PaperFold,
  placeOfPapers,
  Summary,
  type ReceiptProps,
  type SectionProps,
} from './ReceiptSections.tsx';
import type { OpenedOffer } from './SeeOffer.tsx';
import { folioOf } from '../lead/folio.ts';
import { sendsClosed } from '../phone/keep-sending.ts';
import styles from './Receipt.module.css';
import { useNow } from '../ui/use-now.ts';
import { useOnline } from '../ui/use-online.ts';

const Answers = lazyPart(() => import('./Answers.tsx').then((module) => module.Answers));
const Offer = lazyPart(() => import('./Answers.tsx').then((module) => module.Offer));
const Track = lazyPart(() => import('./Answers.tsx').then((module) => module.Track));
const OpenOffer = lazyPart(() => import('./Answers.tsx').then((module) => module.OpenOffer));
const AnswerAlert = lazyPart(() => import('./AnswerAlert.tsx').then((module) => module.AnswerAlert));
const WhatsAppAlert = lazyPart(() => import('./WhatsAppAlert.tsx').then((module) => module.WhatsAppAlert));
const ByWhatsApp = lazyPart(() => import('./HandOff.tsx').then((module) => module.ByWhatsApp));

/** Receipt of a quote: stamp, state, main button, and closed sections for the rest. */
export function Receipt(props: ReceiptProps) {
  const { entry, replacedBy, isNew = false, isInPlace = false } = props;
  const { quote } = entry;
  const stub = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isNew || isInPlace) return;
    stub.current!.scrollIntoView({ block: 'start' });
    if (document.activeElement === document.body) stub.current!.focus({ preventScroll: true });
  }, [isNew, isInPlace]);
  const now = useNow();
  const context = { replacedBy, sendsClosed: useStore(sendsClosed) };
  const [opened, setOpened] = useState<OpenedOffer>();
  const { look, word, next } = describeEntry(entry, now, useOnline(), context);
  return (
    <article
      ref={stub}
      tabIndex={isNew ? -1 : undefined}
      className={`stub ${styles['receipt']} ${styles[look]}`}
      aria-label={`${mainWords(words.title)} ${folioOf(entry.id)}`}
    >
      <header>
        <p className={styles['folio']} translate="no">
          {folioOf(entry.id)}
        </p>
        <p className={styles['state']}>
          <Inline text={word} />
        </p>
        {/* A booked shipment has a drawing of its flight, so this arc is left out. */}
        {!entry.answers.some(({ track }) => track) && <FlightArc flown={FLOWN[look]} />}
      </header>
      <hr className={styles['tear']} />
      <div className={styles['body']}>
        <Lines texts={next.slice(0, 1)} />
        {/* The main button of a new receipt loads later. Its room is reserved, so that nothing moves. */}
        <div className={isNew ? `${styles['news']} ${styles['reserved']}` : styles['news']}>
          <News {...props} look={look} now={now} onSeeOffer={setOpened} />
        </div>
        {next.length > 1 && <Lines texts={next.slice(1)} />}
        {!quote && (
          <p>
            <Inline text={words.forgotten} />
          </p>
        )}
        {quote && !isSummaryInMore(entry, look) && <Summary quote={quote} isNew={isNew} />}
        {quote && placeOfPapers(entry, look) === 'receipt' && <PaperFold entry={entry} quote={quote} />}
        {quote && !hasClosedAdditions(entry) && (
          <Additions entry={entry} quote={quote} replacedBy={replacedBy} now={now} look={look} />
        )}
        <More {...props} look={look} now={now} onSeeOffer={setOpened} />
        {opened && <OpenOffer entry={entry} opened={opened} onClose={() => setOpened(undefined)} />}
        {!props.otherActions && (
          <a className={styles['all']} href={QUOTES_ADDRESS} title={englishWords(tray.title)}>
            {mainWords(tray.title)} ›
          </a>
        )}
      </div>
    </article>
  );
}

function Lines({ texts }: { readonly texts: readonly Bilingual[] }) {
  return (
    <div role="status">
      {texts.map((text) => (
        <p key={mainWords(text)}>
          <NoBreakInline text={text} />
        </p>
      ))}
    </div>
  );
}

function News({ entry, replacedBy, look, now, mainAction, onCorrect, onSeeOffer }: SectionProps) {
  const { quote, answers, state } = entry;
  const isWaiting = look === 'waiting' && state.kind === 'waiting';
  const offer = acceptableOffer(entry, serverNow(entry, now));
  return (
    <>
      {mainAction}
      {look === 'correction' && quote && !replacedBy && <Correct entry={entry} onCorrect={onCorrect} isMain />}
      {look === 'accepted' && <Track entry={entry} now={now} />}
      {offer && <Offer entry={entry} offer={offer} now={now} onSee={onSeeOffer} />}
      {answers.length > 0 && <Answers entry={entry} now={now} onSee={onSeeOffer} />}
      {isWaiting && quote && !mainAction && <ByWhatsApp quote={quote} />}
      {look === 'delivered' && quote && !replacedBy && <AnswerAlert id={entry.id} />}
      {quote && state.kind !== 'refused' && !replacedBy && <WhatsAppAlert entry={entry} quote={quote} />}
    </>
  );
}
