import { useEffect, useState } from 'react';
import type { Bilingual } from '../../content/bilingual.ts';
import { deskHistory } from '../../content/desk-history.ts';
import { RequestError } from '../api/request-error.ts';
import type { Lead } from '../lead/lead.ts';
import { searchLeads } from '../api/lead-feed.ts';

const words = deskHistory.search;
const SHORTEST = 3;
const MOST = 50;
/** While somebody types nothing is asked. */
const PAUSE = 300;

interface Search {
  /** `recent`: the server did not say what else there is. */
  readonly state: 'short' | 'asking' | 'recent' | 'whole';
  readonly found: readonly Lead[];
}

const SHORT: Search = { state: 'short', found: [] };
const RECENT: Search = { state: 'recent', found: [] };
const ASKING: Search = { state: 'asking', found: [] };

/** What is looked for in all of time, once it stands still; again when the server is heard again. */
export function useSearch(query: string, isFresh: boolean): Search {
  const [search, setSearch] = useState<Search>(SHORT);
  useEffect(() => {
    if (query.length < SHORTEST || !isFresh) {
      setSearch(query.length < SHORTEST ? SHORT : RECENT);
      return undefined;
    }
    let isOver = false;
    setSearch(ASKING);
    const timer = setTimeout(() => {
      searchLeads(query).then(
        (found) => !isOver && setSearch({ state: 'whole', found }),
        (error: unknown) => {
          if (!(error instanceof RequestError)) throw error;
          if (!isOver) setSearch(RECENT);
        },
      );
    }, PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query, isFresh]);
  return search;
}

/** What is to be said of a search, beside what it found. */
export function noteOf({ state, found }: Search, query: string, isEmpty: boolean): Bilingual | undefined {
  // Above rows that are there it would push them down, and up again.
  if (state === 'asking') return isEmpty ? words.asking : undefined;
  if (state === 'recent') return words.recent;
  if (isEmpty) return state === 'short' ? words.short(query) : words.nothing(query);
  return found.length === MOST ? words.most : undefined;
}
