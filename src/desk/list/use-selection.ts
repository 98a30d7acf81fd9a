import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Lead } from '../lead/lead.ts';

/** Leads selected for an action on several leads. A lead that leaves the list also leaves the selection. */
export function useSelection(shown: readonly Lead[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string>(undefined);
  // The list is a ref, because memoized rows may call the `toggle` of an earlier render.
  const list = useRef(shown);
  useLayoutEffect(() => void (list.current = shown), [shown]);
  const chosen = useMemo(() => shown.filter(({ quote_id }) => ids.has(quote_id)), [shown, ids]);

  /** Selects or deselects a lead. `isRange`: selects all rows between the last clicked row and this row. */
  function toggle({ quote_id }: Lead, isRange: boolean) {
    const at = (id: string | undefined) => list.current.findIndex((lead) => lead.quote_id === id);
    const [from, to] = [at(last.current), at(quote_id)];
    const range = list.current.slice(Math.min(from, to), Math.max(from, to) + 1).map((lead) => lead.quote_id);
    last.current = quote_id;
    setIds((current) => {
      if (isRange && from >= 0) return new Set([...current, ...range]);
      const next = new Set(current);
      if (!next.delete(quote_id)) next.add(quote_id);
      return next;
    });
  }
  const choose = (leads: readonly Lead[]) => setIds(new Set(leads.map(({ quote_id }) => quote_id)));
  return { chosen, toggle, choose } as const;
}
