import { CONTACT_FIELDS } from '../lead/fields.ts';
import { isRecord } from '../lead/validation.ts';
import { createStore } from '../ui/create-store.ts';
import { persisted } from './persisted.ts';

export type Contact = Readonly<Record<(typeof CONTACT_FIELDS)[number], string>>;

/**
 * True if this phone remembers contact data. It is a store, because both the form and the list of quotes can delete the
 * data.
 */
export const isRemembered = createStore(false);

const contact = persisted('aeropuente.contact', (stored) =>
  isRecord(stored) && CONTACT_FIELDS.every((field) => typeof stored[field] === 'string')
    ? (stored as Contact)
    : undefined,
);

/** Returns the contact data of the last quote, if the visitor asked the phone to remember them. */
export const readContact = contact.get;

export function rememberContact({ nombre, empresa, email, telefono }: Contact): void {
  contact.set({ nombre, empresa, email, telefono });
  isRemembered.set(true);
}

export function forgetContact(): void {
  contact.set(undefined);
  isRemembered.set(false);
}
