import { CONTACT_FIELDS } from '../lead/fields.ts';
import { isRecord } from '../lead/validation.ts';
import { createStore } from '../ui/create-store.ts';
import { tryStorage } from './storage-access.ts';

const CONTACT = 'aeropuente.contact';

export type Contact = Readonly<Record<(typeof CONTACT_FIELDS)[number], string>>;

/** A store, because form and list can forget the contact data too. */
export const isRemembered = createStore(false);

/** Contact data of the last quote, if the sender asked the phone to remember them. */
export function readContact(): Contact | undefined {
  const stored = tryStorage(() => JSON.parse(localStorage.getItem(CONTACT) ?? 'null') as unknown);
  return isRecord(stored) && CONTACT_FIELDS.every((field) => typeof stored[field] === 'string')
    ? (stored as Contact)
    : undefined;
}

export function rememberContact({ nombre, empresa, email, telefono }: Contact): void {
  tryStorage(() => localStorage.setItem(CONTACT, JSON.stringify({ nombre, empresa, email, telefono })));
  isRemembered.set(true);
}

export function forgetContact(): void {
  tryStorage(() => localStorage.removeItem(CONTACT));
  isRemembered.set(false);
}
