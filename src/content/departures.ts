import { listed } from './numbers.ts';
import { origins } from './points.ts';

/** Names of the ports from which cargo flies, as a list for a sentence. */
export const departures = listed(origins.map(({ name, called = name }) => called));
