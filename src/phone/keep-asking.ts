import { QUOTES_ADDRESS } from '../agreements.ts';
import { answers as words } from '../content/answers.ts';
import { notifications } from '../content/notifications.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import { notifyWhereAllowed } from './notifications.ts';
import { awaitsAnswer, type Entry } from '../outbox/entry.ts';
import { folioOf } from '../lead/folio.ts';
import { syncAnswers } from '../outbox/sync-answers.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { once } from '../ui/once.ts';
import { followFiles } from './follow-files.ts';
import { showAnswered } from './quote-notifications.ts';

const ASK_EVERY = 20_000;
const ASK_SELDOM = 5 * 60_000;
/** Milliseconds after the delivery of a quote or message in which the page often asks the server for an answer. */
const SOON = 3 * 60 * 60_000;
/** Milliseconds in which several events count as one return to the page. */
const SAME_RETURN = 2000;

/** Asks the server for answers while the page is visible, and announces new ones. */
export const keepAsking = once(() => {
  const { follow, onReturn } = createAsking();
  for (const type of ['online', 'focus']) addEventListener(type, onReturn);
  document.addEventListener('visibilitychange', onReturn);
  followFiles(outbox);
  outbox.watch(follow);
});

function createAsking() {
  let current: readonly Entry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let askedAt = -Infinity;
  let asking = false;
  /** True from a return of the visitor or the connection until the next request for answers. */
  let hasReturned = true;
  /** True if the first request after a return of the visitor or the connection has failed. */
  let requestFailed = false;

  /**
   * Quotes about which the server is asked: those that await an answer. After a return all delivered quotes are
   * included, because even an answered one may have a second answer.
   */
  const entriesToAsk = () =>
    current.filter((entry) =>
      hasReturned || requestFailed ? entry.state.kind === 'delivered' && entry.quote : awaitsAnswer(entry, current),
    );

  function schedule(): void {
    clearTimeout(timer);
    const about = entriesToAsk();
    if (asking || about.length === 0 || document.visibilityState !== 'visible') return;
    const wait = Math.min(requestFailed || about.some(isSoon) ? ASK_EVERY * 2 ** failures : ASK_SELDOM, ASK_SELDOM);
    timer = setTimeout(() => void ask(), Math.max(0, askedAt + (hasReturned ? SAME_RETURN : wait) - performance.now()));
  }

  async function ask(): Promise<void> {
    const about = entriesToAsk();
    const isAfterReturn = hasReturned || requestFailed;
    hasReturned = false;
    asking = true;
    askedAt = performance.now();
    const isAnswered = await syncAnswers(about).catch(() => false);
    failures = isAnswered ? 0 : failures + 1;
    requestFailed = isAfterReturn && !isAnswered;
    asking = false;
    schedule();
  }

  function follow(entries: readonly Entry[]): void {
    current = entries;
    showAnswers(entries).catch(() => undefined);
    schedule();
  }

  return {
    follow,
    onReturn: () => {
      hasReturned = true;
      follow(current);
    },
  };
}

/** True if an answer to the quote or to one of its messages may come soon. */
const isSoon = ({ state, messages }: Entry): boolean =>
  [state, ...messages.map((message) => message.state)].some(
    (each) => each.kind === 'delivered' && Date.now() - each.at < SOON,
  );

/** Announces each answer once on this phone: only the page or worker that claims the answer first announces it. */
async function showAnswers(entries: readonly Entry[]): Promise<void> {
  if (entries.every(({ answers }) => answers.every(({ announced }) => announced))) return;
  if (document.visibilityState !== 'visible') {
    return notifyWhereAllowed(async (registration) => {
      for (const entry of await outbox.claimAnswers()) await showAnswered(registration, entry);
    });
  }
  const answered = await outbox.claimAnswers();
  if (answered.length === 0) return;
  const look = { label: words.look, run: () => void (location.hash = QUOTES_ADDRESS) };
  const folios = answered.map(({ id }) => folioOf(id));
  const hasMoved = answered.length === 1 && answered[0]!.answers.every(({ track }) => track);
  toast(hasMoved ? notifications.moved(folios[0]!) : words.arrived(folios), {
    type: 'success',
    duration: FORM_DURATION,
    action: look,
    about: 'answers',
  });
}
