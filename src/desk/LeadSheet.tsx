import { useDeferredValue, useRef, useState } from 'react';
import { mainWords, type Bilingual as Text, englishWords } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import { calls } from '../content/desk-calls.ts';
import { roles } from '../content/desk-roles.ts';
import { notices } from '../content/notices.ts';
import { fieldWords } from '../content/fields.ts';
import { dateInWords } from '../content/dates.ts';
import { fields, FIELDS } from '../lead/fields.ts';
import type { OfferState } from '../lead/offer.ts';
import type { DeskMove } from '../lead/vocabulary.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Inline } from '../ui/Inline.tsx';
import { Leg } from '../ui/Leg.tsx';
import { Act, Link } from './Act.tsx';
import { block, close, DONE, release, reopen, take, takeOver, type Ending } from './actions.ts';
import { AnswerForm } from './AnswerForm.tsx';
import { BlockLead } from './BlockLead.tsx';
import { History } from './History.tsx';
import { waysTo } from './contact.ts';
import { useConversation } from './conversation.ts';
import { Fact } from './Fact.tsx';
import { useFocusStays } from './focus-stays.ts';
import { HandOver } from './HandOver.tsx';
import { clockOf, fieldInWords, isClosed, isOurs, standingOf, type Lead } from './lead.ts';
import styles from './LeadSheet.module.css';
import { LosingForm } from './LosingForm.tsx';
import { NoteForm } from './NoteForm.tsx';
import { acceptedOf, isOver, stateNow } from './offer.ts';
import { OfferActs } from './OfferActs.tsx';
import { Papers } from './Papers.tsx';
import { Reminder } from './Reminder.tsx';
import { Said } from './Said.tsx';
import type { Person } from './session.ts';
import { Shipment } from './Shipment.tsx';

interface Props {
  readonly lead: Lead;
  readonly me: Person;
  readonly now: number;
  /** It was opened for what stands further down, which is there at once then, and else with the next paint. */
  readonly isWholeAtOnce: boolean;
  readonly onBack: () => void;
  readonly onOpen: (lead: Lead) => void;
  readonly tell: (ended: Ending, done?: Text) => void;
}

/** One quote: what its sender wrote, what was said to it since, and what can be done with it. */
export function LeadSheet({ lead, me, now, isWholeAtOnce, onBack, onOpen, tell }: Props) {
  const sheet = useRef<HTMLElement>(null);
  useFocusStays(sheet, '#lead');
  const isWhole = useDeferredValue(true, isWholeAtOnce);
  const [conversation, again] = useConversation(lead, isWhole);
  const [busy, setBusy] = useState(false);
  const [isLosing, setLosing] = useState(false);
  const read = typeof conversation === 'object' ? conversation : undefined;
  const isMine = lead.assignee === me.id;
  const clock = clockOf(lead, now);
  const last = read?.words.findLast((word) => word.kind === 'answer');
  const standing = read?.words.findLast(
    (word) => word.kind === 'answer' && word.offer && stateNow(word.offer, word.answer, now) === 'vigente',
  ) as typeof last;
  const lastState = last?.offer && stateNow(last.offer, last.answer, now);
  // What was withdrawn, is over or has no space is not sent on.
  const wasOver = lastState && (isOver(lastState) || lastState === 'sinespacio');
  // How much of the promise is used up.
  const [asked, due] = [Date.parse(lead.asked_at), Date.parse(lead.due_at)];
  const flown = lead.open ? Math.min(1, Math.max(0, (now - asked) / (due - asked))) : 1;
  const ways = waysTo(
    lead,
    wasOver ? undefined : last?.answer,
    read?.link,
    now,
    (lastState ?? 'vigente') === 'vigente',
  );
  const isEnded = isClosed(lead);
  // The clock of an acceptance ends with the outcome of the offer alone.
  const isAccepted = lead.accepted_state === 'aceptada';
  const accepted = acceptedOf(lead, now);

  const act = (work: () => Promise<Ending>, done?: Text) => () => {
    if (busy) return;
    setBusy(true);
    void work()
      .then((ended) => tell(ended, done))
      .finally(() => setBusy(false));
  };
  async function copy(text: string) {
    try {
      // At an address without https there is no clipboard.
      await navigator.clipboard.writeText(text);
      tell(DONE, words.copied);
    } catch {
      tell({ kind: 'refused', says: notices.notCopied });
    }
  }
  const acceptedId = read?.words.flatMap((word) =>
    word.kind === 'answer' && word.offer?.state === 'aceptada' ? word.answer.id : [],
  )[0];
  const actsOn = (answerId: string, state: OfferState, isLate: boolean) => {
    const isTakenUp = isAccepted || lead.accepted_state === 'reservada';
    const moves: DeskMove[] = isLate && !isTakenUp ? ['aceptada'] : state === 'vigente' ? ['retirada'] : [];
    return moves.length > 0 && <OfferActs lead={lead} answerId={answerId} moves={moves} tell={tell} />;
  };
  const owner = lead.assignee_name ?? mainWords(words.colleague);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leads back to the list, from any control in here
    <article
      ref={sheet}
      className={styles['sheet']}
      aria-labelledby="lead"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !(event.target as Element).closest('dialog')) onBack();
      }}
    >
      <header className={styles['head']} data-tone={clock.tone}>
        <div className={styles['back']}>
          <Act words={words.back} onClick={onBack} />
        </div>
        <p className="label">
          <Inline text={words.columns.folio} />
        </p>
        <h2 id="lead" tabIndex={-1} className={styles['folio']} translate="no">
          {lead.folio}
        </h2>
        <p className={styles['clock']}>
          <Bilingual as="span" text={clock.words} />
        </p>
        <p className={styles['state']} data-status={lead.reply_waiting ? 'reply' : lead.status}>
          {mainWords(standingOf(lead))}
          {lead.assignee && <span translate="no"> · {isMine ? mainWords(words.mine) : owner}</span>}
          {lead.lost_reason && ` · ${mainWords(words.lostReasons[lead.lost_reason])}`}
        </p>
        <div className={styles['leg']}>
          <Leg flown={flown} />
        </div>
      </header>

      <div className={styles['acts']} aria-busy={busy}>
        {!lead.assignee && <Act quiet={false} words={words.take} onClick={act(() => take(lead, me.id))} />}
        {lead.assignee && !isMine && <Act words={words.takeOver(owner)} onClick={act(() => takeOver(lead, me.id))} />}
        {isMine && !isEnded && (
          <>
            {lead.status === 'tomada' && <Act words={words.release} onClick={act(() => release(lead, me.id))} />}
            {lead.reply_waiting && lead.last_answer && !isAccepted && (
              <Act words={words.dealtWith} onClick={act(() => close(lead, 'respondida'))} />
            )}
            {!isAccepted && (
              <>
                <Act words={words.won} onClick={act(() => close(lead, 'ganada'))} />
                <Act words={words.lost} aria-expanded={isLosing} onClick={() => setLosing(!isLosing)} />
              </>
            )}
          </>
        )}
        {(isMine || me.isSupervisor) && !isEnded && <HandOver lead={lead} me={me} act={act} />}
        {isMine && isEnded && <Act words={words.reopen} onClick={act(() => reopen(lead))} />}
      </div>
      {isLosing && isMine && !isEnded && (
        <LosingForm
          lead={lead}
          onCancel={() => setLosing(false)}
          onLose={(lose) =>
            act(async () => {
              const ended = await lose();
              // What was written stays until it has arrived.
              if (ended.kind === 'done') setLosing(false);
              return ended;
            })()
          }
        />
      )}

      {isWhole && (
        <>
          {!isEnded && lead.assignee && (
            <Reminder lead={lead} me={me.id} expires={standing?.answer.valid_until} now={now} tell={tell} />
          )}

          {accepted && (
            <section className={styles['accepted']} aria-label={mainWords(words.offer.acceptedMark)}>
              <p>
                <b>{mainWords(words.offer.accepted(accepted))}</b>
                {lead.accepted_state && ` · ${mainWords(words.offer.states[lead.accepted_state])}`}
                {lead.accepted_reference && ` · ${lead.accepted_reference}`}
              </p>
              {isMine && isAccepted && acceptedId && (
                <OfferActs lead={lead} answerId={acceptedId} moves={['reservada', 'sinespacio']} tell={tell} />
              )}
            </section>
          )}

          <dl className={styles['boxes']}>
            {FIELDS.filter((field) => !fields[field].optional || lead[field] !== undefined).map((field) => (
              <Fact key={field} label={fieldWords[field].label} own={isOurs(field)}>
                {fields[field].input?.type === 'tel' ? (
                  <span className={styles['phone']}>{lead[field]}</span>
                ) : (
                  fieldInWords(lead, field)
                )}
              </Fact>
            ))}
            {lead.embarque && (
              <Fact label={words.shipment} own>
                {`${lead.embarque.toLocaleString('es-MX')}\u00a0kg`}
              </Fact>
            )}
            <Fact label={words.received} own>
              {mainWords(dateInWords(Date.parse(lead.created_at), now))}
              {lead.origen !== 'formulario' && ` · ${mainWords(calls.origins[lead.origen])}`}
              {lead.entregada && ` · ${mainWords(words.recovered)}`}
            </Fact>
            {lead.open && (
              <Fact label={words.due} own>
                {mainWords(dateInWords(Date.parse(lead.due_at), now))}
              </Fact>
            )}
            {lead.reemplaza && (
              <Fact label={words.replaces} own>
                <Other lead={read?.replaces} folio={lead.reemplaza} onOpen={onOpen} />
              </Fact>
            )}
            {lead.igual && (
              <Fact label={words.sameAs} own>
                <Other lead={read?.sameAs} folio={lead.igual} onOpen={onOpen} />
              </Fact>
            )}
            {lead.replaced_by && (
              <Fact label={words.replacedBy} own>
                <Other lead={read?.replacedBy} folio={read?.replacedBy?.folio ?? '…'} onOpen={onOpen} />
              </Fact>
            )}
          </dl>
          {read?.details && <Shipment said={read.details} quote={lead} now={now} boxes={styles['boxes']!} />}
          {read && read.files.length > 0 && <Papers folio={lead.folio} files={read.files} tell={tell} />}
          {(lead.llamada || lead.promociones) && (
            <ul className={styles['marks']}>
              {lead.llamada && <li data-call="">{mainWords(words.wantsCall)}</li>}
              {lead.promociones && <li>{mainWords(words.wantsPromotions)}</li>}
            </ul>
          )}

          <div className={styles['ways']}>
            <a className="button plain" href={ways.call} title={englishWords(words.call)}>
              {mainWords(words.call)}
            </a>
            <a
              className="button plain"
              href={ways.whatsapp}
              title={englishWords(words.whatsapp)}
              target="_blank"
              rel="noopener noreferrer"
            >
              {mainWords(words.whatsapp)}
            </a>
            {ways.mail && (
              <a className="button plain" href={ways.mail} title={englishWords(words.mail)}>
                {mainWords(words.mail)}
              </a>
            )}
            <Act words={words.copy} onClick={() => void copy(ways.message)} />
            <div className={styles['courtesy']}>
              <Bilingual text={words.courtesy} />
            </div>
          </div>

          <History lead={lead} me={me} now={now} onOpen={onOpen} tell={tell} />
          <Said lead={lead} conversation={conversation} now={now} actsOn={isMine ? actsOn : undefined} />
          {(!isEnded || lead.reply_waiting) && <AnswerForm lead={lead} me={me} tell={tell} />}
          <NoteForm lead={lead} me={me} tell={tell} onSaved={again} />
          {me.isSupervisor && <BlockLead onBlock={act(() => block(lead), roles.block.done)} />}
        </>
      )}
    </article>
  );
}

interface OtherProps {
  readonly lead: Lead | undefined;
  readonly folio: string;
  readonly onOpen: (lead: Lead) => void;
}

function Other({ lead, folio, onOpen }: OtherProps) {
  if (!lead) return folio;
  return (
    <Link onClick={() => onOpen(lead)} translate="no">
      {folio}
    </Link>
  );
}
