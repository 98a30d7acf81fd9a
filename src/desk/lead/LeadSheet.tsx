import { useDeferredValue, useEffect, useRef, useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskLead as words } from '../../content/desk-lead.ts';
import type { OfferState } from '../../lead/offer.ts';
import { Button } from '../../ui/Button.tsx';
import { AnswerForm } from '../answer/AnswerForm.tsx';
import type { Ending } from '../api/ending.ts';
import type { Person } from '../api/person.ts';
import { Conversation } from '../conversation/Conversation.tsx';
import { NoteForm } from '../conversation/NoteForm.tsx';
import { useConversation } from '../conversation/use-conversation.ts';
import { BookingForm } from './BookingForm.tsx';
import { useFocusStays } from './focus-stays.ts';
import { History } from './History.tsx';
import { isClosed, isToBook, type Lead } from './lead.ts';
import { LeadActs, type Opened } from './LeadActs.tsx';
import { LeadFacts } from './LeadFacts.tsx';
import styles from './LeadSheet.module.css';
import { stateNow } from './offer.ts';
import { OfferActs } from './OfferActs.tsx';
import { Papers } from './Papers.tsx';
import { SheetHead } from './SheetHead.tsx';
import { markSeen } from './unread.ts';

interface Props {
  readonly lead: Lead;
  readonly me: Person;
  readonly now: number;
  /** The focus goes to a part further down, so all parts are rendered at once. */
  readonly isWholeAtOnce: boolean;
  readonly onBack: () => void;
  readonly onOpen: (lead: Lead) => void;
  readonly tell: (ended: Ending, done?: Text) => void;
}

/** Open lead: facts and history on the left, the answer or the booking on the right. */
export function LeadSheet({ lead, me, now, isWholeAtOnce, onBack, onOpen, tell }: Props) {
  const sheet = useRef<HTMLElement>(null);
  useFocusStays(sheet, '#lead');
  useEffect(() => markSeen(lead, me.id), [lead, me]);
  const isWhole = useDeferredValue(true, isWholeAtOnce);
  const [conversation, readAgain] = useConversation(lead, isWhole);
  const [opened, setOpened] = useState<Opened>();
  const read = typeof conversation === 'object' ? conversation : undefined;
  const isMine = lead.assignee === me.id;
  const answers = (read?.words ?? []).filter((word) => word.kind === 'answer');
  const standing = answers.findLast(({ offer, answer }) => offer && stateNow(offer, answer, now) === 'vigente');
  const accepted = answers.findLast(({ offer }) => offer?.state === 'aceptada');
  const isBooking = isToBook(lead);
  const canAnswer = !isBooking && (!isClosed(lead) || lead.reply_waiting);

  const actsOn = (answerId: string, state: OfferState, isLate: boolean) => {
    const isTakenUp = lead.accepted_state === 'aceptada' || lead.accepted_state === 'reservada';
    const move = isLate && !isTakenUp ? 'aceptada' : state === 'vigente' ? 'retirada' : undefined;
    return move && <OfferActs lead={lead} answerId={answerId} move={move} tell={tell} />;
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes from any control in here
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
      <SheetHead lead={lead} me={me} now={now} answer={answers.at(-1)} link={read?.link} tell={tell}>
        <LeadActs
          lead={lead}
          me={me}
          now={now}
          opened={opened}
          onOpen={setOpened}
          expires={standing?.answer.valid_until}
          tell={tell}
        />
      </SheetHead>
      {isWhole && (
        <div className={styles['columns']}>
          <div className={styles['left']}>
            <LeadFacts lead={lead} now={now} conversation={read} onOpen={onOpen} />
            {read && read.files.length > 0 && <Papers folio={lead.folio} files={read.files} tell={tell} />}
            <Conversation lead={lead} conversation={conversation} now={now} actsOn={isMine ? actsOn : undefined} />
            <NoteForm lead={lead} me={me} tell={tell} onSaved={readAgain} />
            <History lead={lead} me={me} now={now} onOpen={onOpen} tell={tell} />
          </div>
          {(isBooking || canAnswer) && (
            <div className={styles['right']}>
              {isBooking ? (
                <BookingForm lead={lead} me={me} answerId={accepted?.answer.id} now={now} tell={tell} />
              ) : (
                <AnswerForm lead={lead} me={me} tell={tell} />
              )}
            </div>
          )}
        </div>
      )}
    </article>
  );
}
