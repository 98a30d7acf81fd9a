import { createQuoteTransact } from './store.ts';

/** The disk of this phone, and what its pages and its worker hear each other on. */
export const transact = createQuoteTransact();
export const openChannel = (): BroadcastChannel => new BroadcastChannel('aeropuente-quotes');
export const now = (): number => Date.now();
