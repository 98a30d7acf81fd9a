import { QUOTES_ADDRESS } from '../agreements.ts';
import { answers as words } from '../content/answers.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import { notifyWhereAllowed } from '../pwa/notifications.ts';
import { awaitsAnswer, type Entry } from './entry.ts';
import { folioOf } from './folio.ts';
import { hearAnswers } from './hear-answers.ts';
import { outbox } from './phone-outbox.ts';
import { showAnswered } from './quote-notifications.ts';

const ASK_EVERY = 20_000;
const ASK_SELDOM = 5 * 60_000;
/** After so long without an answer it will not come within seconds. */
const SOON = 3 * 60 * 60_000;
/** The browser tells of a return in several ways. */
const SAME_RETURN = 2000;

let current: readonly Entry[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
let askedAt = -Infinity;
let asking = false;
let started = false;

/** From now on the phone learns of answers while a page is looked at, and tells of them. */
export function keepAsking(): void {
  if (started) return;
  started = true;
  const atOnce = () => {
    void tell(current);
    void ask(isAnswerable);
  };
  addEventListener('online', atOnce);
  addEventListener('focus', atOnce);
  document.addEventListener('visibilitychange', atOnce);
  outbox.watch((entries) => {
    const isFirst = current.length === 0;
    current = entries;
    void tell(entries);
    if (isFirst) atOnce();
    else schedule();
  });
}

/** Who has an answer may get a second one, while the phone knows yet what was asked. */
const isAnswerable = ({ state, quote }: Entry) => state.kind === 'delivered' && quote !== null;
const isAwaited = (entry: Entry) => awaitsAnswer(entry, current);

async function ask(which: (entry: Entry) => boolean): Promise<void> {
  const wanted = current.filter(which);
  const isTooSoon = asking || performance.now() - askedAt < SAME_RETURN;
  if (isTooSoon || wanted.length === 0 || document.visibilityState !== 'visible') return schedule();
  asking = true;
  askedAt = performance.now();
  const heard = await hearAnswers(wanted).catch(() => false);
  failures = heard ? 0 : failures + 1;
  asking = false;
  schedule();
}

function schedule(): void {
  clearTimeout(timer);
  const awaited = current.filter(isAwaited);
  if (awaited.length === 0 || document.visibilityState !== 'visible') return;
  const isSoon = awaited.some(({ state, replies }) =>
    [state, ...replies.map((reply) => reply.state)].some(
      (each) => each.kind === 'delivered' && Date.now() - each.at < SOON,
    ),
  );
  const wait = Math.min(isSoon ? ASK_EVERY * 2 ** failures : ASK_SELDOM, ASK_SELDOM);
  timer = setTimeout(() => void ask(isAwaited), Math.max(0, askedAt + wait - performance.now()));
}

/** Once, by whichever page or worker was first to see it. */
async function tell(entries: readonly Entry[]): Promise<void> {
  if (entries.every(({ answers }) => answers.every(({ told }) => told))) return;
  if (document.visibilityState !== 'visible') {
    return notifyWhereAllowed(async (registration) => {
      for (const { id } of await outbox.claimAnswers()) await showAnswered(registration, id);
    });
  }
  const told = await outbox.claimAnswers();
  if (told.length === 0) return;
  const look = { label: words.look, run: () => void (location.hash = QUOTES_ADDRESS) };
  toast(words.told(told.map(({ id }) => folioOf(id))), {
    type: 'success',
    duration: FORM_DURATION,
    action: look,
    about: 'answers',
  });
}
