import { PROMISED_HOURS } from '../../src/lead/promise.ts';

/** Statement that stores the promised hours of an answer, which a release may change. */
export const KEEP_PROMISE = {
  sql: `select private.keep_promise(make_interval(hours => ${PROMISED_HOURS}))`,
  parameters: [],
};
