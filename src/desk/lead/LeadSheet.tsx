import { useDeferredValue, useEffect, useRef, useState } from 'react';
import { deskLead as words } from '../../content/desk-lead.ts';
import type { OfferState } from '../../lead/offer.ts';
import { Button } from '../../ui/Button.tsx';
import { AnswerForm } from '../answer/AnswerForm.tsx';
import { drafts, writeDraft } from '../answer/drafts.ts';
import { useDesk } from '../context.ts';
import { Conversation } from '../conversation/Conversation.tsx';
import { WhatsAppLine } from '../conversation/WhatsAppLine.tsx';
import { NoteForm } from '../conversation/NoteForm.tsx';
import { useConversation } from '../conversation/use-conversation.ts';
import { BookingForm } from './BookingForm.tsx';
import { useFocusFallback } from './use-focus-fallback.ts';
import { History } from './History.tsx';
import { isClosed, isToBook, type Lead } from './lead.ts';
import { LeadActions, type Opened } from './LeadActions.tsx';
import { LeadFacts } from './LeadFacts.tsx';
import styles from './LeadSheet.module.css';
import { stateNow } from './offer.ts';
import { OfferActions } from './OfferActions.tsx';
import { AttachedFiles } from './AttachedFiles.tsx';
import { ShipmentPapers } from './ShipmentPapers.tsx';
import { SheetHead } from './SheetHead.tsx';
import { Tracking } from './Tracking.tsx';
import { markSeen } from './read-marks.ts';

interface Props {
  readonly lead: Lead;
  /** True if the focus goes to a part of the lead that the first render would not show. */
  readonly isWholeAtOnce: boolean;
  readonly onBack: () => void;
}

/** Open lead: facts and history on the left, the answer form or the booking form on the right. */
export function LeadSheet({ lead, isWholeAtOnce, onBack }: Props) {
  const { me, now } = useDesk();
  const sheet = useRef<HTMLElement>(null);
  useFocusFallback(sheet, '#lead');
  useEffect(() => markSeen(lead, me.id), [lead, me]);
  // The first render shows only the top, so that the lead appears quickly. If a part further down gets the focus, the
  // first render shows the whole lead.
  const isWhole = useDeferredValue(true, isWholeAtOnce) || isWholeAtOnce;
  const [read, readAgain, hasFailed] = useConversation(lead, isWhole);
  const [opened, setOpened] = useState<Opened>();
  const isMine = lead.assignee === me.id;
  const answers = (read?.words ?? []).filter((word) => word.kind === 'answer');
  const standing = answers.findLast(({ offer, answer }) => offer && stateNow(offer, answer, now) === 'vigente');
  const accepted = answers.findLast(({ offer }) => offer?.state === 'aceptada');
  const isBooking = isToBook(lead);
  const canAnswer = !isBooking && (!isClosed(lead) || lead.reply_waiting);

  const whatsApp = read?.whatsApp?.is_on && read.whatsApp.wanted ? read.whatsApp : undefined;
  const canWrite = canAnswer && (isMine || lead.assignee === null);
  function writeInThread() {
    if (drafts.read().get(lead.quote_id)?.body === undefined) writeDraft(lead.quote_id, me.id, { kind: 'mensaje' });
    sheet.current!.querySelector<HTMLElement>('form [data-words]')!.focus();
  }

  const offerActions = (answerId: string, state: OfferState, isLate: boolean) => {
    const isTakenUp = lead.accepted_state === 'aceptada' || lead.accepted_state === 'reservada';
    const move = isLate && !isTakenUp ? 'aceptada' : state === 'vigente' ? 'retirada' : undefined;
    return move && <OfferActions lead={lead} answerId={answerId} move={move} />;
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes the lead from any control in it
    <article
      ref={sheet}
      className={styles['sheet']}
      aria-labelledby="lead"
      data-folio={lead.folio}
      onKeyDown={({ key, target }) => {
        if (key === 'Escape' && !(target as Element).closest('dialog')) onBack();
      }}
    >
      <div className={styles['back']}>
        <Button words={words.back} onClick={onBack}>
          <span aria-hidden="true">‹</span>
        </Button>
        <p translate="no">{lead.folio}</p>
      </div>
      <SheetHead
        lead={lead}
        answer={answers.at(-1)}
        link={read?.link}
        onWhatsApp={whatsApp && canWrite ? writeInThread : undefined}
      >
        <LeadActions lead={lead} opened={opened} onOpen={setOpened} expires={standing?.answer.valid_until} />
      </SheetHead>
      {isWhole && (
        <div className={styles['columns']}>
          <div className={styles['left']}>
            {answers.some(({ offer }) => offer?.state === 'reservada') && <Tracking key={lead.quote_id} lead={lead} />}
            <LeadFacts lead={lead} conversation={read} />
            {read && <ShipmentPapers lead={lead} read={read} onMarked={readAgain} />}
            {read && read.files.length > 0 && <AttachedFiles lead={lead} files={read.files} />}
            <Conversation
              lead={lead}
              read={read}
              hasFailed={hasFailed}
              offerActions={isMine ? offerActions : undefined}
            />
            <NoteForm lead={lead} onSaved={readAgain} />
            <History lead={lead} />
          </div>
          {(isBooking || canAnswer) && (
            <div className={styles['right']}>
              {whatsApp && <WhatsAppLine windowUntil={whatsApp.window_until} now={now} />}
              {isBooking ? <BookingForm lead={lead} answerId={accepted?.answer.id} /> : <AnswerForm lead={lead} />}
            </div>
          )}
        </div>
      )}
    </article>
  );
}
