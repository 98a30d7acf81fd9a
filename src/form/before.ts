import { CONTACT_FIELDS, FIELDS, type Written } from '../lead/fields.ts';
import type { Entry } from '../outbox/entry.ts';
import type { Faults } from './rules.ts';

/** The state in which src/landing/keeper.ts left the form before it woke, for it to take over. */
interface Before {
  /** The last quote that was kept: its receipt is shown beside the form. */
  entry?: Entry;
  /** One is being written to disk: its words still stand in the form. */
  isKeeping?: boolean;
  /** Id of the quote that the phone did not keep: the form sends the quote under this id. */
  unkeptId?: string;
  /** The sentences under its fields, and how to make the page again as it was rendered. */
  faults?: Faults;
  hideFaults?: () => void;
  /** Removes the toast of the last press. */
  hideToast?: () => void;
}

export const before: Before = {};

/** Something was kept: a form that has woken meanwhile takes it over at once. */
export const KEPT = 'quote:kept';

/**
 * What stands in a form before it wakes goes on with what is `known`: a browser fills in again who asks, after a reload,
 * and what is shipped may have been changed since. Other words are newer than any draft.
 */
export function continues(known: Partial<Written> | undefined, values: Written): boolean {
  const contact = CONTACT_FIELDS.filter((field) => values[field]);
  const compared = contact.length > 0 ? contact : FIELDS.filter((field) => values[field]);
  return compared.every((field) => values[field] === known?.[field]);
}
