import { expect, test } from 'vitest';
import { judge, watchOthers } from '../chaos/bounds.ts';

const times = (count: number, each: number, slowest = each) => [
  ...Array.from({ length: count - 3 }, () => each),
  ...Array.from({ length: 3 }, () => slowest),
];
const seconds = 10;

test('the soak fails where the slowest hundredth is beyond its bound and the machine was quiet', () => {
  const within = { inserts: times(300, 20, 500), pages: times(300, 5, 100) };
  expect(judge(within, { seconds, others: 0.02 })).toEqual({
    isBeyond: false,
    says: 'within its bounds; others took 2 % of the processors',
  });
  expect(judge({ ...within, inserts: times(300, 20, 501) }, { seconds, others: 0.1 })).toEqual({
    isBeyond: true,
    says: 'BEYOND ITS BOUNDS: inserts p99 at most 500 ms; others took 10 % of the processors',
  });
  // So slow that there were hardly any, or none at all.
  for (const pages of [times(300, 5, 101), times(4, 3000), []])
    expect(judge({ ...within, pages }, { seconds, others: 0 }).isBeyond).toBe(true);
});

test('it judges no time that others had a hand in, nor that of a moment, nor where nobody can tell', () => {
  const slow = { inserts: times(300, 2000), pages: times(300, 2000) };
  expect(judge(slow, { seconds, others: 0.11 })).toEqual({
    isBeyond: false,
    says: 'not judged: others took 11 % of the processors, and the machine is quiet up to 10 %',
  });
  expect(judge(slow, { seconds: 2, others: 0 }).says).toBe('not judged: 2 s say nothing of a p99, 10 s would');
  const unknown = { isBeyond: false, says: 'not judged: this system does not say how busy others keep it' };
  expect(judge(slow, { seconds, others: watchOthers(-1)() })).toEqual(unknown);
});
