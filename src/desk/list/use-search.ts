import { useEffect, useState } from 'react';
import type { Bilingual } from '../../content/bilingual.ts';
import { deskHistory } from '../../content/desk-history.ts';
import { RequestError } from '../api/request-error.ts';
import type { Lead } from '../lead/lead.ts';
import { searchLeads } from '../api/lead-feed.ts';

const words = deskHistory.search;
const SHORTEST = 3;
const MOST = 50;
/** Milliseconds without a key press after which the search starts. */
const PAUSE = 300;

interface Search {
  /**
   * State of the search. `short`: too few letters. `asking`: waits for the server. `recent`: without a connection, only
   * the loaded leads were searched. `whole`: the server has searched all leads.
   */
  readonly state: 'short' | 'asking' | 'recent' | 'whole';
  readonly found: readonly Lead[];
}

const SHORT: Search = { state: 'short', found: [] };
const RECENT: Search = { state: 'recent', found: [] };
const ASKING: Search = { state: 'asking', found: [] };

/** Searches all leads on the server when the person stops typing, and again when the connection returns. */
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

export function noteOf({ state, found }: Search, query: string, isEmpty: boolean): Bilingual | undefined {
  // The sentence about the running search appears only while the list is empty: above rows, it would move them down and
  // up again.
  if (state === 'asking') return isEmpty ? words.asking : undefined;
  if (state === 'recent') return words.recent;
  if (isEmpty) return state === 'short' ? words.short(query) : words.nothing(query);
  return found.length === MOST ? words.most : undefined;
}
