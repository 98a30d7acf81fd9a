import { useState, useSyncExternalStore } from 'react';
import { FORM_ID } from '../agreements.ts';
import { install as words } from '../content/phone.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { dismissOffer, install, watchWay, wasDismissed, wayToInstall } from './install.ts';
import styles from './InstallOffer.module.css';

const TakeAlong = lazyPart(() => import('./TakeAlong.tsx').then((module) => module.TakeAlong));

interface Props {
  /**
   * True if unsent quotes or messages wait in this browser. An app installed on an iPhone has a separate storage, in
   * which they would be missing.
   */
  readonly waiting: boolean;
}

/** After a quote, offers to install the site. Once the visitor has closed the offer, only the footer has the button. */
export function InstallOffer({ waiting }: Props) {
  const way = useSyncExternalStore(watchWay, wayToInstall);
  const [over, setOver] = useState(wasDismissed);
  if (!way || over) return null;

  function end() {
    setOver(true);
    // The pressed button is about to disappear with the offer, so the focus moves to the form.
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
