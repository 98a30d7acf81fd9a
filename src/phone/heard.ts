import { FIELDS, type Field, type Written } from '../lead/fields.ts';
import { createStore } from '../ui/create-store.ts';
import { tryStorage } from './storage-access.ts';

/** By field. Undefined: it was written into the form before a reload, and its draft has it. */
export type Heard = ReadonlyMap<Field, string | undefined>;

/** Names of fields and no values: those are the draft's. */
const KEPT = 'aeropuente.heard';

/** What the voice assistant heard for the form, and nobody has confirmed. */
export const heard = createStore<Heard>(new Map());

const names = tryStorage(() => localStorage.getItem(KEPT));
// A disk may hold anything.
if (names)
  heard.set(new Map(FIELDS.filter((field) => names.split(',').includes(field)).map((field) => [field, undefined])));
heard.subscribe(() =>
  tryStorage(() => {
    const fields = [...heard.read().keys()];
    if (fields.length > 0) localStorage.setItem(KEPT, fields.join());
    else localStorage.removeItem(KEPT);
  }),
);

/** What stands among these values by a machine's word alone. */
export const isUnconfirmed = (values: Written): boolean =>
  FIELDS.some((field) => values[field] && heard.read().has(field));
