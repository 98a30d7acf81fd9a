import { FIELDS, type Field, type FieldTexts } from '../lead/fields.ts';
import { createStore } from '../ui/create-store.ts';
import { tryStorage } from './storage-access.ts';

/** Value by field; undefined if a reload came between, after which only the draft has it. */
export type Heard = ReadonlyMap<Field, string | undefined>;

/** Names of fields; their values are in the draft. */
const KEPT = 'aeropuente.heard';

/** Values from the voice assistant that nobody has confirmed. */
export const heard = createStore<Heard>(new Map());

const names = tryStorage(() => localStorage.getItem(KEPT));
if (names)
  heard.set(new Map(FIELDS.filter((field) => names.split(',').includes(field)).map((field) => [field, undefined])));
heard.subscribe(() =>
  tryStorage(() => {
    const fields = [...heard.read().keys()];
    if (fields.length > 0) localStorage.setItem(KEPT, fields.join());
    else localStorage.removeItem(KEPT);
  }),
);

export const isUnconfirmed = (values: FieldTexts): boolean =>
  FIELDS.some((field) => values[field] && heard.read().has(field));
