import { PROMISED_HOURS } from '../../src/lead/promise.ts';

/** Statement that stores the number of hours in which the team promises an answer; a release may change the number. */
export const KEEP_PROMISE = {
  sql: `select private.keep_promise(make_interval(hours => ${PROMISED_HOURS}))`,
  parameters: [],
};
