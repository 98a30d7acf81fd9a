import { tryStorage } from '../phone/storage-access.ts';

const KEPT = 'aeropuente.desk.single-keys';

/** Who speaks to the computer switches them off: a word that is heard presses several of them. */
export const isSingleKeyOn = (): boolean => tryStorage(() => localStorage.getItem(KEPT)) !== 'off';

export const setSingleKeys = (on: boolean): void =>
  tryStorage(() => (on ? localStorage.removeItem(KEPT) : localStorage.setItem(KEPT, 'off')));
