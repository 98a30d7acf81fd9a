import { createStore } from '../ui/create-store.ts';

/**
 * True if the visitor asked to be called back. A store, because the form may be hydrated before or after the request.
 */
export const wantsCallBack = createStore(false);
