import { PROMISED_HOURS } from '../../src/lead/promise.ts';

/** Statement that writes the promise of this release into the database. */
export const KEEP_PROMISE = {
  sql: `select private.keep_promise(make_interval(hours => ${PROMISED_HOURS}))`,
  parameters: [],
};
