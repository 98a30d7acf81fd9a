import { useState, useSyncExternalStore } from 'react';
import { onlyLanguage, type OnlyLanguage } from '../content/bilingual.ts';
import { dataSaver, install as words, languages } from '../content/phone.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { loadWithRetry } from '../ui/hydration.ts';
import { chooseSavingData, watchDataSaver } from './data-saver.ts';
import { isSavingData } from './is-saving-data.ts';
import { install, watchWay, wayToInstall } from './install.ts';
import styles from './PhoneSettings.module.css';

export function PhoneSettings() {
  const way = useSyncExternalStore(watchWay, wayToInstall, () => undefined);
  const saving = useSyncExternalStore(watchDataSaver, isSavingData, () => false);
  // The language buttons need scripts. The page as built shows both languages and leaves these buttons out.
  const isHydrated = useSyncExternalStore(
    noSubscription,
    () => true,
    () => false,
  );
  return (
    <div className={styles['settings']}>
      <button
        type="button"
        role="switch"
        aria-checked={saving}
        suppressHydrationWarning
        onClick={() => chooseSavingData(!isSavingData())}
      >
        <Inline text={dataSaver.label} />
      </button>
      {saving && <Saving />}
      {isHydrated && <LanguageChoice />}
      {way === 'prompt' && (
        <button
          className="button"
          type="button"
          onClick={({ currentTarget }) => {
            // The pressed button is about to disappear, so the focus moves to the first remaining button.
            currentTarget.parentElement!.querySelector('button')!.focus();
            void install();
          }}
        >
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

const noSubscription = () => () => {};

function LanguageChoice() {
  const [language, setLanguage] = useState(onlyLanguage);
  function choose(chosen: OnlyLanguage | undefined) {
    setLanguage(chosen);
    void loadWithRetry(() => import('./show-language.ts')).then(({ showLanguage }) => showLanguage(chosen));
  }
  return (
    <label className="field">
      <span className="label">
        <Inline text={languages.label} />
      </span>
      <select value={language ?? ''} onChange={({ target }) => choose((target.value || undefined) as OnlyLanguage)}>
        {Object.entries(languages.choices).map(([value, name]) => (
          <option key={value} value={value} lang={value || undefined}>
            {name}
          </option>
        ))}
      </select>
    </label>
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

/**
 * Returns kilobytes: fetched by this visit so far (`used`), and what the visit would have fetched without data
 * saver mode (`otherwise`).
 */
function visitInKilobytes(): { readonly used: number; readonly otherwise: number } {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
  const used = (entries as PerformanceResourceTiming[]).reduce((sum, { transferSize }) => sum + transferSize, 0);
  // The build writes the total size of the files into the document.
  const total = Number(document.documentElement.dataset['weight'] ?? 0);
  const kilobytes = Math.ceil(used / 1000);
  return { used: kilobytes, otherwise: kilobytes + total };
}
