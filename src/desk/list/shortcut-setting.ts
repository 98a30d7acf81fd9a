import { persistedText } from '../../phone/persisted.ts';

const singleKeys = persistedText('aeropuente.desk.single-keys');

/** Setting for people with speech input, which may trigger shortcuts of one letter. */
export const areShortcutsOn = (): boolean => singleKeys.get() !== 'off';

export const setShortcuts = (on: boolean): void => singleKeys.set(on ? undefined : 'off');
