import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { formFailures } from '../../src/content/failures.ts';
import { submitQuote } from '../../src/form/submit-quote.ts';
import { outbox } from '../../src/outbox/phone-outbox.ts';
import { muteDisk, NOW, SECOND, someQuote } from './phone.ts';

// In these tests the script that sends quotes never loads.

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: NOW }));
afterEach(async () => {
  vi.useRealTimers();
  await outbox.erase();
});

function press() {
  const words: string[] = [];
  const ending = submitQuote(
    someQuote(),
    { corrects: false },
    {
      loadSendQuote: () => new Promise(() => {}),
      onStored: () => words.push('stored'),
      onStoreFailed: () => words.push('store failed'),
    },
  );
  return { ending, words };
}

test('the form says "stored" after five seconds if the script that sends never loads', async () => {
  const { ending, words } = press();
  await vi.waitUntil(() => words.length > 0, { interval: 1 });
  expect(words).toEqual(['stored']);
  const [entry] = await outbox.entries();
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect(await ending).toEqual({ kind: 'stored', id: entry!.id, accessDenied: false });
});

test('the form reports a failed connection if it can neither store nor send the quote', async () => {
  const answerAgain = muteDisk({ lands: false });
  const { ending, words } = press();
  await vi.advanceTimersByTimeAsync(8 * SECOND);
  expect(words).toEqual(['store failed']);
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect(await ending).toEqual({ kind: 'unsaved', text: formFailures.connection });
  answerAgain();
});
