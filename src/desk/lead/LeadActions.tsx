import { deskLead as words } from '../../content/desk-lead.ts';
import { deskReminders } from '../../content/desk-reminders.ts';
import { controls } from '../../content/controls.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { block, reopen, take, takeOver } from '../api/lead-changes.ts';
import { useAct, useDesk } from '../context.ts';
import { HandOver } from './HandOver.tsx';
import { close, handOver, lose, release } from './lead-actions.ts';
import { isClosed, isToBook, ownerOf, type Lead } from './lead.ts';
import styles from './LeadSheet.module.css';
import { LosingForm } from './LosingForm.tsx';
import { ReminderForm, SetReminder } from './Reminder.tsx';

/** Name of the open form under the actions. */
export type Opened = 'lose' | 'hand' | 'remind' | 'block';

interface Props {
  readonly lead: Lead;
  readonly opened: Opened | undefined;
  readonly onOpen: (opened: Opened | undefined) => void;
  /** Last day of the open offer. */
  readonly expires: string | null | undefined;
}

/**
 * Actions that change the owner or the outcome of a lead: a button for the action that is needed most likely, and two
 * menus with the others.
 */
export function LeadActions({ lead, opened, onOpen, expires }: Props) {
  const { me } = useDesk();
  const [busy, run] = useAct(lead);
  const act = (...action: Parameters<typeof run>) => void run(...action);
  const isMine = lead.assignee === me.id;
  const isEnded = isClosed(lead);
  const isBooking = isToBook(lead);
  const canClose = isMine && !isEnded && !isBooking;
  const more = [
    isMine && lead.status === 'tomada' && { words: words.release, onPress: () => act(() => release(lead, me.id)) },
    (isMine || me.isSupervisor) && !isEnded && { words: words.handOver.open, onPress: () => onOpen('hand') },
    isMine && !isEnded && { words: deskReminders.open, onPress: () => onOpen('remind') },
    me.isSupervisor && { words: words.block.open, onPress: () => onOpen('block') },
  ].filter((each) => each !== false);
  const shut = () => onOpen(undefined);

  return (
    <>
      <div className={styles['acts']} aria-busy={busy}>
        {!lead.assignee && !isEnded && <Button words={words.take} onClick={() => act(() => take(lead, me.id))} />}
        {lead.assignee && !isMine && (
          <Button words={words.takeOver(ownerOf(lead, me.id))} onClick={() => act(() => takeOver(lead, me.id))} />
        )}
        {canClose && lead.reply_waiting && lead.last_answer && (
          <Button words={words.dealtWith} onClick={() => act(() => close(lead, 'respondida'))} />
        )}
        {isMine && isEnded && <Button words={words.reopen} onClick={() => act(() => reopen(lead))} />}
        {canClose && (
          <Menu
            words={words.close}
            items={[
              { words: words.status.ganada, onPress: () => act(() => close(lead, 'ganada')) },
              { words: words.status.perdida, onPress: () => onOpen('lose') },
            ]}
          />
        )}
        {more.length > 0 && <Menu words={controls.more} face="dots" items={more} />}
      </div>
      {lead.assignee && !isEnded && <SetReminder lead={lead} isMine={isMine} busy={busy} act={act} />}
      {opened === 'lose' && canClose && (
        <LosingForm
          where={lead.quote_id}
          onSend={async (...losing) => (await run(() => lose(lead, ...losing)))?.kind === 'done'}
          onClose={shut}
        />
      )}
      {opened === 'hand' && (
        <HandOver
          leads={[lead]}
          except={lead.assignee}
          canFree={lead.status === 'tomada'}
          onSend={(heir) => act(() => handOver(lead, heir))}
          onClose={shut}
        />
      )}
      {opened === 'remind' && isMine && (
        <ReminderForm lead={lead} expires={expires} busy={busy} act={act} onClose={shut} />
      )}
      {opened === 'block' && (
        <div className={styles['sub']}>
          <Confirm
            question={words.block.what}
            yes={words.block.send}
            busy={busy}
            onYes={() => act(() => block(lead), words.block.done)}
            onNo={shut}
          />
        </div>
      )}
    </>
  );
}
