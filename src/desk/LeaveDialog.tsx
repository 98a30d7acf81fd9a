import { useEffect, useState } from 'react';
import { mainWords, type Bilingual as Text } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import { Bilingual } from '../ui/Bilingual.tsx';
import { useStore } from '../ui/store.ts';
import { Translation } from '../ui/Translation.tsx';
import { Trouble } from './backend.ts';
import { Dialog } from './Dialog.tsx';
import { askWhoIsHere, handAll, reach } from './presence.ts';
import { signOut, type Person } from './session.ts';

const words = desk.leave;
/** Somebody may go while it is open. */
const ASK_EVERY = 4000;

interface Props {
  readonly me: Person;
  /** Open requests of whoever goes. */
  readonly count: number;
  readonly onClose: () => void;
}

/** Nobody leaves open requests behind without saying to whom. */
export function LeaveDialog({ me, count, onClose }: Props) {
  const colleagues = (useStore(reach) ?? []).filter(({ staff, here }) => here && staff !== me.id);
  const [heir, setHeir] = useState('');
  const [trouble, setTrouble] = useState<Text>();
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const ask = () => void askWhoIsHere().catch(() => undefined);
    ask();
    const timer = setInterval(ask, ASK_EVERY);
    return () => clearInterval(timer);
  }, []);

  async function leave() {
    if (busy) return;
    setBusy(true);
    try {
      if (heir) await handAll(heir);
      signOut();
    } catch (error) {
      setBusy(false);
      setTrouble(error instanceof Trouble && error.code === 'PT409' ? words.away : desk.notDone);
    }
  }

  return (
    <Dialog title={words.title} onClose={onClose}>
      <Bilingual text={words.open(count)} />
      <label className="field">
        <span className="label">
          {mainWords(words.to)} <Translation text={words.to} />
        </span>
        <select value={heir} onChange={(event) => setHeir(event.target.value)}>
          <option value="">{mainWords(words.all)}</option>
          {colleagues.map(({ staff, name }) => (
            <option key={staff} value={staff}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <div role="alert">{trouble && <Bilingual text={trouble} />}</div>
      <p>
        <button type="button" className="button" aria-busy={busy} title={words.go.en} onClick={() => void leave()}>
          {mainWords(words.go)}
        </button>
      </p>
    </Dialog>
  );
}
