import type { Ref } from 'react';
import { englishWords, mainWords } from '../../content/bilingual.ts';
import { deskList as words } from '../../content/desk-list.ts';
import { FILTERS, type Filter } from './filters.ts';
import styles from './Filters.module.css';

interface Props {
  readonly ref: Ref<HTMLInputElement>;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** Moves the focus from the search field to the list. */
  readonly onLeave: () => void;
  /** Chosen filter; undefined during a search, because a search covers all leads. */
  readonly filter: Filter | undefined;
  readonly counts: ReadonlyMap<Filter, number>;
  readonly onFilter: (filter: Filter) => void;
}

export function Filters({ ref, typed, onType, onLeave, filter, counts, onFilter }: Props) {
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
            data-filter={each}
            onClick={() => onFilter(each)}
          >
            {mainWords(words.filters[each])} <b>{counts.get(each)}</b>
          </button>
        ))}
      </div>
    </div>
  );
}
