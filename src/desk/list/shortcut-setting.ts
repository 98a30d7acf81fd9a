import { tryStorage } from '../../phone/storage-access.ts';

const STORAGE_KEY = 'aeropuente.desk.single-keys';

/** Setting for people with speech input, which may trigger shortcuts of one letter. */
export const areShortcutsOn = (): boolean => tryStorage(() => localStorage.getItem(STORAGE_KEY)) !== 'off';

export const setShortcuts = (on: boolean): void =>
  tryStorage(() => (on ? localStorage.removeItem(STORAGE_KEY) : localStorage.setItem(STORAGE_KEY, 'off')));
