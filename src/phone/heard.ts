import type { Field } from '../lead/fields.ts';
import { createStore } from '../ui/create-store.ts';
import { tryStorage } from './storage-access.ts';

/** By field. Undefined: it was written into the form before a reload, and its draft has it. */
export type Heard = ReadonlyMap<Field, string | undefined>;

/** Names of fields and no values: those are the draft's. */
const KEPT = 'aeropuente.heard';

/** What the voice assistant heard for the form, and nobody has confirmed. */
export const heard = createStore<Heard>(new Map());

const names = tryStorage(() => JSON.parse(localStorage.getItem(KEPT) ?? '[]') as Field[]) ?? [];
// Of a store that something else wrote there is nothing to be read.
heard.set(new Map(Array.isArray(names) ? names.map((name) => [name, undefined]) : []));
heard.subscribe(() =>
  tryStorage(() => {
    const fields = [...heard.read().keys()];
    if (fields.length > 0) localStorage.setItem(KEPT, JSON.stringify(fields));
    else localStorage.removeItem(KEPT);
  }),
);
