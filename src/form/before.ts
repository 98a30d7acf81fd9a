import type { Entry } from '../outbox/entry.ts';
import type { Faults } from './rules.ts';

/** What was done with the form before it woke (src/landing/keeper.ts), for it to take over. */
interface Before {
  /** What was kept last: its receipt is shown beside the form. */
  entry?: Entry;
  /** What was wrong with it, and how the page is again as it was rendered. */
  faults?: Faults;
  hideFaults?: () => void;
}

export const before: Before = {};

/** Something was kept: a form that has woken meanwhile takes it over at once. */
export const KEPT = 'quote:kept';
