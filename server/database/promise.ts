import { PROMISED_HOURS } from '../../src/lead/promise.ts';

/**
 * Statement that stores within how many hours the team promises an answer. Each start runs it, because a new release
 * may promise another number.
 */
export const KEEP_PROMISE = {
  sql: `select private.keep_promise(make_interval(hours => ${PROMISED_HOURS}))`,
  parameters: [],
};
