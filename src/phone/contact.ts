import { CONTACT_FIELDS } from '../lead/fields.ts';
import { isRecord } from '../lead/shape.ts';
import { createStore } from '../ui/create-store.ts';
import { tryStorage } from './storage-access.ts';

const CONTACT = 'aeropuente.contact';

export type Contact = Readonly<Record<(typeof CONTACT_FIELDS)[number], string>>;

/** Whether they are, once a receipt has asked: form and list can make them be forgotten too. */
export const isRemembered = createStore(false);

/** The contact data of the last quote, where its sender asked the phone to remember them. */
export function readContact(): Contact | undefined {
  const kept = tryStorage(() => JSON.parse(localStorage.getItem(CONTACT) ?? 'null') as unknown);
  return isRecord(kept) && CONTACT_FIELDS.every((field) => typeof kept[field] === 'string')
    ? (kept as Contact)
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
