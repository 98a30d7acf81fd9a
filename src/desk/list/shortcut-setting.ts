import { tryStorage } from '../../phone/storage-access.ts';

const KEPT = 'aeropuente.desk.single-keys';

/** ShortcutsDialog that can be switched off, for who speaks to the computer: a word that is heard presses several. */
export const areShortcutsOn = (): boolean => tryStorage(() => localStorage.getItem(KEPT)) !== 'off';

export const setShortcuts = (on: boolean): void =>
  tryStorage(() => (on ? localStorage.removeItem(KEPT) : localStorage.setItem(KEPT, 'off')));
