import { createStore } from '../ui/create-store.ts';

/** Did the visitor ask to be called back? The form says so, whether it wakes before that or after. */
export const wantsCallBack = createStore(false);
