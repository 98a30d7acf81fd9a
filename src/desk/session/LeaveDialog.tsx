import { useEffect, useRef, useState } from 'react';
import { mainWords, type Bilingual as Text } from '../../content/bilingual.ts';
import { deskAnswer } from '../../content/desk-answer.ts';
import { deskFailures } from '../../content/desk-failures.ts';
import { deskSession } from '../../content/desk-session.ts';
import { deskTeam } from '../../content/desk-team.ts';
import { Bilingual } from '../../ui/Bilingual.tsx';
import { Button } from '../../ui/Button.tsx';
import { Choice } from '../../ui/Choice.tsx';
import { Countdown } from '../../ui/Countdown.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Select } from '../../ui/Field.tsx';
import { SEND_DELAY, sendSaved } from '../answer/send-delay.ts';
import { isConflict } from '../api/action-result.ts';
import { useDesk } from '../context.ts';
import { useBusy } from '../use-busy.ts';
import { handAll } from '../api/team.ts';
import { RequestError } from '../api/request-error.ts';
import { isToBook, type Lead } from '../lead/lead.ts';
import { usePresentColleagues } from '../team/use-present-colleagues.ts';
import { signOut } from './session.ts';

const words = deskSession.leave;
const WAYS = ['keep', 'heir', 'list'] as const;
type Way = (typeof WAYS)[number];

interface Props {
  readonly leads: readonly Lead[];
  readonly onClose: () => void;
}

/** Dialog that ends the shift. By default, leads keep their owner; any other choice can be undone for ten seconds. */
export function LeaveDialog({ leads, onClose }: Props) {
  const { me } = useDesk();
  const [way, setWay] = useState<Way>('keep');
  const [heir, setHeir] = useState('');
  const [fault, setFault] = useState<Text>();
  const [busy, runOnce] = useBusy();
  const colleagues = usePresentColleagues(me.id, heir);
  const isOpen = useIsOpen();
  const accepted = leads.filter(isToBook).map(({ nombre }) => nombre);

  const leave = () =>
    runOnce(async () => {
      setFault(undefined);
      try {
        // Waiting answers are sent first: the server would refuse them after the end of the shift, or once their leads
        // are handed over.
        const unsent = await sendSaved();
        if (!isOpen.current) return;
        if (unsent.length > 0) return setFault(words.unsent(unsent.join(', ')));
        if (way === 'heir') await handAll(heir);
        signOut(way === 'keep' && leads.length > 0 ? 'keeps' : 'gone');
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        setFault(isConflict(error) ? deskTeam.away : deskFailures.notDone);
      }
    });
  const [until, setUntil] = useState<number>();
  const press = () => {
    if (way === 'heir' && !heir) return;
    if (way === 'keep') void leave();
    else setUntil(Date.now() + SEND_DELAY);
  };

  return (
    <Dialog
      title={words.open}
      onClose={onClose}
      actions={
        until ? (
          <>
            <Countdown
              until={until}
              total={SEND_DELAY}
              words={words.countdown}
              onEnd={() => {
                setUntil(undefined);
                void leave();
              }}
            />
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the undo button replaces the button that was pressed */}
            <Button autoFocus words={deskAnswer.undo} onClick={() => setUntil(undefined)} />
          </>
        ) : (
          <Button words={words.open} quiet={false} aria-busy={busy} onClick={press} />
        )
      }
    >
      <Bilingual text={leads.length > 0 ? words.count(leads.length) : words.saved} />
      {accepted.length > 0 && <Bilingual text={words.accepted(accepted)} />}
      {leads.length > 0 && (
        <fieldset style={{ border: 0, padding: 0 }} disabled={until !== undefined}>
          <legend className="hidden">{mainWords(words.choice)}</legend>
          {WAYS.map((each) => (
            <Choice
              key={each}
              type="radio"
              name="way"
              label={words[each]}
              checked={way === each}
              onChange={() => setWay(each)}
            />
          ))}
          {way === 'heir' && (
            <Select
              label={words.to}
              value={heir}
              required
              options={[['', '—'], ...colleagues.map(({ staff, name }) => [staff, name] as const)]}
              onChange={setHeir}
            />
          )}
        </fieldset>
      )}
      <div role="alert">{fault && <Bilingual text={fault} />}</div>
    </Dialog>
  );
}

/** Returns a ref that becomes false when the dialog closes, for code that continues after a request. */
function useIsOpen() {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);
  return isOpen;
}
