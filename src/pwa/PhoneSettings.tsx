import { useSyncExternalStore } from 'react';
import { dataSaver, install as words } from '../content/phone.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { chooseSavingData, watchDataSaver } from './data-saver.ts';
import { isSavingData } from './saving.ts';
import { install, watchWay, wayToInstall } from './install.ts';
import styles from './PhoneSettings.module.css';
import { visitInKilobytes } from './visit.ts';

/** In the footer: the installation for who did not take it before, and the visitor's own switch for data. */
export function PhoneSettings() {
  const way = useSyncExternalStore(watchWay, wayToInstall, () => undefined);
  const saving = useSyncExternalStore(watchDataSaver, isSavingData, () => false);
  return (
    <div className={styles['settings']}>
      <button
        type="button"
        role="switch"
        aria-checked={saving}
        suppressHydrationWarning
        onClick={() => chooseSavingData(!saving)}
      >
        <Inline text={dataSaver.label} />
      </button>
      {saving && <Saving />}
      {way === 'prompt' && (
        <button className="button" type="button" onClick={() => void install()}>
          <ButtonWords text={words.accept} />
        </button>
      )}
      {way === 'by-hand' && (
        <p>
          <b>
            <Inline text={words.title} />
          </b>
          <Inline text={words.byHand} />
        </p>
      )}
    </div>
  );
}

function Saving() {
  const { used, otherwise } = visitInKilobytes();
  return (
    <div role="status">
      <p>
        <Inline text={dataSaver.what} />
      </p>
      <p>
        <Inline text={dataSaver.spent(used, otherwise)} />
      </p>
    </div>
  );
}
