import { useEffect, useRef, useState } from 'react';
import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import { roles } from '../content/desk-roles.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { Act } from './Act.tsx';
import { Trouble } from './backend.ts';
import { Dialog } from './Dialog.tsx';
import { sendSaved } from './held.ts';
import { Labelled } from './Labelled.tsx';
import { handAll } from './presence.ts';
import { signOut, type Person } from './session.ts';
import { useWhoIsHere } from './use-who-is-here.ts';

const words = desk.leave;

interface Props {
  readonly me: Person;
  /** Open requests of whoever goes. */
  readonly count: number;
  readonly onClose: () => void;
}

/** Nobody leaves open requests behind without saying to whom. */
export function LeaveDialog({ me, count, onClose }: Props) {
  const [heir, setHeir] = useState('');
  const colleagues = useWhoIsHere({ me: me.id, chosen: heir });
  const [trouble, setTrouble] = useState<Text>();
  const [busy, setBusy] = useState(false);
  const isOpen = useRef(true);

  useEffect(() => {
    isOpen.current = true;
    return () => void (isOpen.current = false);
  }, []);

  async function leave() {
    if (busy) return;
    setBusy(true);
    // What is said of another try is heard again.
    setTrouble(undefined);
    try {
      // Once a colleague has the leads, no answer of ours to them is accepted; and without us nothing sends it.
      const unsent = await sendSaved();
      // Who has closed it meanwhile stays.
      if (!isOpen.current) return;
      if (unsent.length > 0) {
        setBusy(false);
        return setTrouble(words.unsent(unsent.join(', ')));
      }
      if (heir) await handAll(heir);
      signOut();
    } catch (error) {
      setBusy(false);
      setTrouble(error instanceof Trouble && error.code === 'PT409' ? roles.handOver.away : desk.notDone);
    }
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <Bilingual text={count > 0 ? words.open(count) : words.saved} />
      {count > 0 && (
        <Labelled label={words.to}>
          <select value={heir} onChange={(event) => setHeir(event.target.value)}>
            <option value="">{mainWords(words.all)}</option>
            {colleagues.map(({ staff, name }) => (
              <option key={staff} value={staff}>
                {name}
              </option>
            ))}
          </select>
        </Labelled>
      )}
      <div role="alert">{trouble && <Bilingual text={trouble} />}</div>
      <p>
        <Act words={words.go} quiet={false} aria-busy={busy} onClick={() => void leave()} />
      </p>
    </Dialog>
  );
}
