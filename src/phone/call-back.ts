import { createStore } from '../ui/create-store.ts';

/** True if the visitor asked to be called back; a store, because the form may hydrate before or after. */
export const wantsCallBack = createStore(false);
