import { FIELDS, type Field, type FieldTexts } from '../lead/fields.ts';
import { createStore } from '../ui/create-store.ts';
import { persistedText } from './persisted.ts';

/** Value from the assistant for each field. Undefined after a reload: the value is then only in the draft. */
export type AssistantValues = ReadonlyMap<Field, string | undefined>;

/** Names of the fields that the visitor has not confirmed. Their values are in the draft. */
const storedNames = persistedText('aeropuente.unconfirmed');

/** Values that came from the voice assistant and that the visitor has not confirmed. */
export const assistantValues = createStore<AssistantValues>(new Map());

const names = storedNames.get();
if (names)
  assistantValues.set(
    new Map(FIELDS.filter((field) => names.split(',').includes(field)).map((field) => [field, undefined])),
  );
assistantValues.subscribe(() => storedNames.set([...assistantValues.read().keys()].join()));

export const isUnconfirmed = (values: FieldTexts): boolean =>
  FIELDS.some((field) => values[field] && assistantValues.read().has(field));
