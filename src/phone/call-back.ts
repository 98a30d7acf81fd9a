import { createStore } from '../ui/create-store.ts';

/**
 * True if the visitor asked to be called back. The form reads this store whenever its code starts, before or after the
 * request.
 */
export const wantsCallBack = createStore(false);
