import { eachLanguage, type Bilingual as Text } from '../content/bilingual.ts';
import { readFolio } from '../lead/folio.ts';
import { toast, withdraw } from '../notices/toasts.ts';
import type { ActionResult } from './api/action-result.ts';
import type { Lead } from './lead/lead.ts';

/** Returns the folio of the open lead. It is in the URL, so that the browser's back button closes the lead. */
export const openFolio = () => readFolio(location.hash.slice(1));

interface Announcement {
  readonly text: Text;
  readonly isGood: boolean;
  readonly next?: { readonly words: Text; readonly onPress: () => void } | undefined;
}

/** Milliseconds for which the toast of a successful action is shown. */
const GOOD_NEWS = 6000;
const ABOUT = 'action';

/**
 * Shows a toast, which replaces the toast of the previous action. The toast of a failure and a toast with a button stay
 * until the next action.
 */
export function announce({ text, isGood, next }: Announcement): void {
  toast(text, {
    about: ABOUT,
    type: isGood ? 'success' : 'error',
    duration: isGood && !next ? GOOD_NEWS : Infinity,
    ...(next && { action: { label: next.words, run: next.onPress } }),
  });
}

export const withdrawAnnouncement = (): void => withdraw(ABOUT);

/** Announces the result of an action on a lead, and names its folio if another lead is open now. */
export function announceResult(lead: Lead, result: ActionResult, done?: Text, next?: Announcement['next']): void {
  const isGood = result.kind === 'done';
  const text = isGood ? done : result.says;
  if (!text) return withdrawAnnouncement();
  const named = lead.folio === openFolio() ? text : eachLanguage(text, (words) => `${lead.folio}: ${words}`);
  announce({ text: named, isGood, next });
}
