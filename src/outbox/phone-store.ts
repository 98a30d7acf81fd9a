import { createQuoteTransact } from './store.ts';

export const transact = createQuoteTransact();
export const openChannel = (): BroadcastChannel => new BroadcastChannel('aeropuente-quotes');
export const now = (): number => Date.now();
