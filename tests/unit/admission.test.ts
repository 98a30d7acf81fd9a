import { expect, test } from 'vitest';
import { createRefusalCounter, createAdmission, networksOf, type Kind } from '../../server/admission.ts';
import { chanceFrom } from '../chance.ts';

const nothing = async () => {};
/** Creates an admission that already runs a request, which ends when the test calls `end`. */
function taken(limits: Partial<Parameters<typeof createAdmission>[0]>, kind: Kind, address = '') {
  const turns = createAdmission({ waiting: 100, perAddress: {}, ...limits });
  const { promise, resolve } = Promise.withResolvers<void>();
  const running = turns(kind, address, () => promise);
  return { turns, end: (others: readonly Promise<unknown>[]) => (resolve(), Promise.all([running, ...others])) };
}

test('the server runs inserts first, then requests of the sales team, then reads, then files', async () => {
  const { turns, end } = taken({}, 'read');
  const done: string[] = [];
  const kinds = ['file', 'read', 'staff', 'insert', 'read', 'insert'] as const;
  await end(kinds.map((kind, at) => turns(kind, '', async () => void done.push(`${kind} ${at}`))));
  expect(done).toEqual(['insert 3', 'insert 5', 'staff 2', 'read 1', 'read 4', 'file 0']);
});

test('the server runs one request at a time, even when requests fail', async () => {
  const turns = createAdmission({ waiting: 100, perAddress: {} });
  const chance = chanceFrom(7);
  let now = 0;
  let most = 0;
  const one = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve));
    now -= 1;
    if (chance() < 0.3) throw new Error('failed');
  };
  const requests: Promise<unknown>[] = [];
  for (let count = 0; count < 60; count += 1) {
    requests.push(turns('read', '', one).catch(() => undefined));
    if (count % 3 === 0) await new Promise((resolve) => setTimeout(resolve));
  }
  await Promise.all(requests);
  expect(most).toBe(1);
});

test('the server refuses requests while its queue is full, and accepts requests again afterwards', async () => {
  const { turns, end } = taken({ waiting: 2 }, 'insert');
  const waiting = [turns('insert', '', nothing), turns('insert', '', nothing)];
  await expect(turns('insert', '', nothing)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
  await end(waiting);
  await turns('insert', '', nothing);
});

test('an IP address at its limit of simultaneous reads can still insert a row', async () => {
  const { turns, end } = taken({ perAddress: { read: 1, insert: 2 } }, 'read', '203.0.113.7');
  await expect(turns('read', '203.0.113.7', nothing)).rejects.toMatchObject({ status: 503 });
  const others = ['203.0.113.8', '', ''].map((address) => turns('read', address, nothing));
  await end([...others, turns('insert', '203.0.113.7', nothing)]);
  await turns('read', '203.0.113.7', nothing);
});

const ANA = networksOf('203.0.113.7');

test('an IP address with too many refused requests is blocked for a minute, but no other', () => {
  let now = 0;
  const refusals = createRefusalCounter(60, () => now);
  for (let count = 0; count < 60; count += 1) {
    refusals.check(ANA);
    refusals.count(ANA);
  }
  expect(() => refusals.check(ANA)).toThrow('Too many refused requests');
  refusals.check(networksOf('203.0.113.8'));
  now = 30_000;
  refusals.check(ANA);
  refusals.count(ANA);
  expect(() => refusals.check(ANA)).toThrow('Too many');
  // However many requests were refused, the address can send again after a minute.
  for (let count = 0; count < 10_000; count += 1) refusals.count(ANA);
  now += 60_000;
  refusals.check(ANA);
});

test('an IPv6 /48 network may have four times as many refused requests as a /64', () => {
  const refusals = createRefusalCounter(10, () => 0);
  for (let network = 1; network <= 40; network += 1) {
    refusals.check(networksOf(`2001:db8:1:${network}::1`));
    refusals.count(networksOf(`2001:db8:1:${network}::1`));
  }
  expect(() => refusals.check(networksOf('2001:db8:1:99::1'))).toThrow('Too many refused requests');
  refusals.check(networksOf('2001:db8:2::1'));
});

test('refused requests are not limited if the IP address is unknown or the limit is 0', () => {
  for (const [refusals, networks] of [
    [createRefusalCounter(1), networksOf('')],
    [createRefusalCounter(0), ANA],
  ] as const)
    for (let count = 0; count < 5; count += 1) {
      refusals.count(networks);
      refusals.check(networks);
    }
});
