import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { OwnStorage } from './own-storage.ts';

const OPENED = Date.parse('2026-11-28T15:00:00Z');
const at = (minutes: number) => new Date(OPENED + minutes * 60_000).toISOString();
const lead = (news_at: string | null, quote_id = '7f2c9a10-0000-4000-8000-0123456789ab') => ({ quote_id, news_at });

beforeEach(() => {
  vi.useFakeTimers({ now: OPENED });
  vi.stubGlobal('localStorage', new OwnStorage());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('news of a lead stays unread for each colleague until that colleague opens the lead', async () => {
  const { isUnread, markSeen, readMarks } = await import('../../src/desk/lead/read-marks.ts');
  readMarks('ana');
  expect([isUnread(lead(null)), isUnread(lead(at(-1))), isUnread(lead(at(1)))]).toEqual([false, false, true]);
  markSeen(lead(at(1)), 'ana');
  expect([isUnread(lead(at(1))), isUnread(lead(at(2)))]).toEqual([false, true]);
  expect(isUnread(lead(at(1), '11111111-0000-4000-8000-000000000000'))).toBe(true);
  // Storage holds no whole quote id: whoever reads an id has access to that quote.
  expect(JSON.stringify(localStorage)).not.toContain('7f2c9a10');
  readMarks('beto');
  expect(isUnread(lead(at(1)))).toBe(true);
  readMarks('ana');
  expect(isUnread(lead(at(1)))).toBe(false);
});
