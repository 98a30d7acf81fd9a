import { isAgreed } from '../lead/offer.ts';
import { isWaiting, replacementOf } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { wasDelivered } from '../outbox/state.ts';
import { askToCorrect } from './draft.ts';

/** Fills the form with this phone's newest open quote and the wish for a call. False if the phone has no open quote. */
export async function askForCallAboutQuote(): Promise<boolean> {
  const entries = await outbox.entries();
  const entry = entries
    .filter(
      (each) =>
        (isWaiting(each) || each.state.kind === 'delivered') &&
        !each.answers.some(({ state }) => isAgreed(state)) &&
        !replacementOf(each, entries),
    )
    .toSorted((a, b) => b.createdAt - a.createdAt)
    .find(({ quote }) => quote);
  if (!entry?.quote) return false;
  const delivered = wasDelivered(entry.state);
  const { quote, replaced } = entry;
  const promociones = !delivered && quote.promociones === true;
  askToCorrect({ quote: { ...quote, llamada: true }, delivered, promociones, replaced });
  return true;
}
