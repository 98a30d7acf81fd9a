import type { Bilingual } from '../content/bilingual.ts';
import type { Entry } from '../outbox/entry.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { hasBackgroundSync } from '../phone/background-sync.ts';
import { flightArc } from '../ui/flight-arc.ts';
import { wordsOf } from '../ui/words.ts';
import { describeEntry, FLOWN } from './describe-entry.ts';
import styles from './Receipt.module.css';

/** Keeps the stub, a receipt without React, up to date until React's receipt replaces it. */
export function watchStub(outbox: Outbox, id: string, stub: HTMLElement): void {
  const stop = outbox.watch((entries) => {
    const entry = entries.find((each) => each.id === id);
    if (!stub.isConnected) stop();
    else if (entry) show(entry, stub);
  });
}

function show(entry: Entry, stub: HTMLElement): void {
  const { look, word, next } = describeEntry(entry, Date.now(), navigator.onLine, { sendsClosed: hasBackgroundSync });
  stub.className = `stub ${styles['receipt']} ${styles[look]}`;
  stub.querySelector(`.${styles['state']}`)!.replaceChildren(...wordsOf(word));
  const { cx, cy, dash } = flightArc(FLOWN[look]);
  const mark = stub.querySelector('circle')!;
  mark.setAttribute('cx', cx);
  mark.setAttribute('cy', cy);
  stub.querySelector('path + path')!.setAttribute('stroke-dasharray', dash);
  const [first, rest] = stub.querySelectorAll('[role=status]');
  first!.replaceChildren(...next.slice(0, 1).map(lineOf));
  rest!.replaceChildren(...next.slice(1).map(lineOf));
}

function lineOf(text: Bilingual): HTMLElement {
  const line = document.createElement('p');
  line.append(...wordsOf(text));
  return line;
}
