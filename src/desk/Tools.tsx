import type { Ref } from 'react';
import { mainWords, englishWords } from '../content/bilingual.ts';
import { desk as words } from '../content/desk.ts';
import styles from './Desk.module.css';
import { FILTERS, type Filter } from './lead.ts';

interface Props {
  readonly ref: Ref<HTMLInputElement>;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** To the list that was searched. */
  readonly onLeave: () => void;
  /** None while something is sought in all of them. */
  readonly filter: Filter | undefined;
  readonly counts: ReadonlyMap<Filter, number>;
  readonly onFilter: (filter: Filter) => void;
}

/** Above the list: what is sought in it, and which of it is shown. */
export function Tools({ ref, typed, onType, onLeave, filter, counts, onFilter }: Props) {
  return (
    <div className={styles['tools']}>
      <input
        ref={ref}
        className={styles['search']}
        type="search"
        value={typed}
        placeholder={mainWords(words.search)}
        aria-label={mainWords(words.search)}
        title={englishWords(words.search)}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onType('');
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            onLeave();
          }
        }}
      />
      <div className={styles['filters']} role="group" aria-label={mainWords(words.show)}>
        {FILTERS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={filter === each}
            title={englishWords(words.filters[each])}
            data-late={each === 'late' ? '' : undefined}
            onClick={() => onFilter(each)}
          >
            {mainWords(words.filters[each])} <b>{counts.get(each)}</b>
          </button>
        ))}
      </div>
    </div>
  );
}
