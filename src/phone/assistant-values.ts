import { FIELDS, type Field, type FieldTexts } from '../lead/fields.ts';
import { createStore } from '../ui/create-store.ts';
import { tryStorage } from './storage-access.ts';

/** Value by field; undefined if a reload came between, after which only the draft has it. */
export type AssistantValues = ReadonlyMap<Field, string | undefined>;

/** Names of fields; their values are in the draft. */
const NAMES_KEY = 'aeropuente.unconfirmed';

/** Values from the voice assistant that nobody has confirmed. */
export const assistantValues = createStore<AssistantValues>(new Map());

const names = tryStorage(() => localStorage.getItem(NAMES_KEY));
if (names)
  assistantValues.set(
    new Map(FIELDS.filter((field) => names.split(',').includes(field)).map((field) => [field, undefined])),
  );
assistantValues.subscribe(() =>
  tryStorage(() => {
    const fields = [...assistantValues.read().keys()];
    if (fields.length > 0) localStorage.setItem(NAMES_KEY, fields.join());
    else localStorage.removeItem(NAMES_KEY);
  }),
);

export const isUnconfirmed = (values: FieldTexts): boolean =>
  FIELDS.some((field) => values[field] && assistantValues.read().has(field));
