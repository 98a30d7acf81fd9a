import type { Entry } from '../outbox/entry.ts';
import type { Faults } from './rules.ts';

/** The state in which src/landing/keeper.ts left the form before it woke, for it to take over. */
interface Before {
  /** The last quote that was kept: its receipt is shown beside the form. */
  entry?: Entry;
  /** One is being written to disk: its words still stand in the form. */
  isKeeping?: boolean;
  /** The sentences under its fields, and how to make the page again as it was rendered. */
  faults?: Faults;
  hideFaults?: () => void;
}

export const before: Before = {};

/** Something was kept: a form that has woken meanwhile takes it over at once. */
export const KEPT = 'quote:kept';
