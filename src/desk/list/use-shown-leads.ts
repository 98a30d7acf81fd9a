import { useDeferredValue, useMemo, useState } from 'react';
import type { Bilingual as Text } from '../../content/bilingual.ts';
import { deskList as words } from '../../content/desk-list.ts';
import { useStore } from '../../ui/store.ts';
import { leadById, type Feed } from '../api/lead-feed.ts';
import type { Lead } from '../lead/lead.ts';
import { due, isReminded } from '../lead/reminders.ts';
import { FILTERS, fits, refine, searchFor, UNREFINED, type Filter } from './filters.ts';
import { noteOf, useSearch } from './use-search.ts';

/** Leads that are shown after a number in the dialog 'Indicadores' was pressed, until the next filter or search. */
interface Counted {
  readonly leads: readonly Lead[];
  readonly text: Text;
}

const newest = (leads: readonly Lead[]) => leads.map((lead) => leadById(lead.quote_id) ?? lead);

/**
 * Chooses the leads that the list shows: by a filter, by a search, or by a pressed number of the dialog 'Indicadores'.
 */
export function useShownLeads({ leads, readAt, isFresh }: Feed, me: string, now: number) {
  const [filter, setFilter] = useState<Filter>('open');
  const [typed, setTyped] = useState('');
  const [counted, setCounted] = useState<Counted>();
  const [refinement, setRefinement] = useState(UNREFINED);
  // The time is rounded to the minute, so that the leads are not filtered at each tick of the clock.
  const minute = Math.floor(now / 60_000) * 60_000;
  const query = useDeferredValue(typed.trim());
  const reminded = useStore(due);
  const search = useSearch(query, isFresh);
  const counts = useMemo(
    () => new Map(FILTERS.map((each) => [each, leads.filter((lead) => fits(lead, each, me, minute)).length])),
    [leads, me, minute],
  );
  const found = useMemo(() => {
    if (counted && !query) return newest(counted.leads);
    const here = leads.filter(query ? searchFor(query) : (lead) => fits(lead, filter, me, minute));
    if (query) {
      const ids = new Set(here.map(({ quote_id }) => quote_id));
      return [...here, ...newest(search.found.filter(({ quote_id }) => !ids.has(quote_id)))];
    }
    if (filter !== 'mine' || reminded.size === 0) return here;
    return here.toSorted((one, other) => Number(isReminded(other, me)) - Number(isReminded(one, me)));
  }, [leads, counted, query, search, filter, me, minute, reminded]);
  const shown = useMemo(() => refine(found, refinement), [found, refinement]);
  const isEmpty = shown.length === 0;
  const nothing = isEmpty && readAt !== undefined ? (filter === 'open' ? words.noneOpen : words.none) : undefined;
  const note = query ? noteOf(search, query, isEmpty) : (counted?.text ?? nothing);
  return {
    all: leads,
    shown,
    counts,
    note,
    refinement,
    refine: setRefinement,
    typed,
    filter: query || counted ? undefined : filter,
    /** Name of the filter or search, for the record of a download. */
    what: query ? 'search' : counted ? 'figures' : filter,
    type: (next: string) => {
      setCounted(undefined);
      setTyped(next);
    },
    choose: (next: Filter) => {
      setTyped('');
      setCounted(undefined);
      setFilter(next);
    },
    showCounted: (next: Counted) => {
      setTyped('');
      setCounted(next);
    },
  };
}
