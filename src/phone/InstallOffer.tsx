import { useState, useSyncExternalStore } from 'react';
import { FORM_ID } from '../agreements.ts';
import { install as words } from '../content/phone.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { later } from '../ui/later.tsx';
import { dismissOffer, install, watchWay, wasDismissed, wayToInstall } from './install.ts';
import styles from './InstallOffer.module.css';

const TakeAlong = later(() => import('./TakeAlong.tsx').then((module) => module.TakeAlong));

interface Props {
  /** Something waits in this tab, where an app installed on an iPhone would not find it. */
  readonly waiting: boolean;
}

/** After a quote, once: who declined finds the offer in the footer. */
export function InstallOffer({ waiting }: Props) {
  const way = useSyncExternalStore(watchWay, wayToInstall);
  const [over, setOver] = useState(wasDismissed);
  if (!way || over) return null;

  function end() {
    setOver(true);
    // The button goes with its offer.
    document.getElementById(FORM_ID)!.focus({ preventScroll: true });
  }

  return (
    <aside className={styles['offer']} aria-labelledby="instalar">
      <h3 id="instalar">
        <Inline text={words.title} />
      </h3>
      <p>
        <Inline text={words.why} />
      </p>
      {way === 'by-hand' && (
        <p>
          <Inline text={waiting ? words.waitFirst : words.byHand} />
        </p>
      )}
      {way === 'by-hand' && <TakeAlong />}
      <div>
        {way === 'prompt' && (
          <button
            className="button"
            type="button"
            onClick={() => {
              end();
              void install();
            }}
          >
            <ButtonWords text={words.accept} />
          </button>
        )}
        <button
          className="button plain"
          type="button"
          onClick={() => {
            end();
            dismissOffer();
          }}
        >
          <ButtonWords text={words.refuse} />
        </button>
      </div>
    </aside>
  );
}
