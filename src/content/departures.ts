import { listed } from './numbers.ts';
import { origins } from './points.ts';

/** Ports from which cargo flies, in a sentence. */
export const departures = listed(origins.map(({ name, called = name }) => called));
