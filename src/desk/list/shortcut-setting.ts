import { tryStorage } from '../../phone/storage-access.ts';

const STORAGE_KEY = 'aeropuente.desk.single-keys';

/** Shortcuts can be turned off for speech input, which types a letter of every word. */
export const areShortcutsOn = (): boolean => tryStorage(() => localStorage.getItem(STORAGE_KEY)) !== 'off';

export const setShortcuts = (on: boolean): void =>
  tryStorage(() => (on ? localStorage.removeItem(STORAGE_KEY) : localStorage.setItem(STORAGE_KEY, 'off')));
