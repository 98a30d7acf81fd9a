import { tryStorage } from '../../phone/storage-access.ts';

const KEPT = 'aeropuente.desk.single-keys';

/** Shortcuts can be turned off for speech input, which types a letter of every word. */
export const areShortcutsOn = (): boolean => tryStorage(() => localStorage.getItem(KEPT)) !== 'off';

export const setShortcuts = (on: boolean): void =>
  tryStorage(() => (on ? localStorage.removeItem(KEPT) : localStorage.setItem(KEPT, 'off')));
