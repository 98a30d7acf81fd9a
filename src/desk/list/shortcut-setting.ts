import { persistedText } from '../../phone/persisted.ts';

const singleKeys = persistedText('aeropuente.desk.single-keys');

/** False if this person has turned off shortcuts of one letter, for example because speech input triggers them. */
export const areShortcutsOn = (): boolean => singleKeys.get() !== 'off';

export const setShortcuts = (on: boolean): void => singleKeys.set(on ? undefined : 'off');
