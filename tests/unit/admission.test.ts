import { describe, expect, test } from 'vitest';
import { createRefusalCounter, createAdmission, networksOf, type Kind } from '../../server/admission.ts';
import { chanceFrom } from '../chance.ts';

describe('admission of requests', () => {
  /** Work that ends when the test calls `end`. */
  function work() {
    const { promise, resolve } = Promise.withResolvers<void>();
    return { run: () => promise, end: resolve };
  }

  test('the server runs inserts first, then requests of the sales team, then reads, then files', async () => {
    const turns = createAdmission({ waiting: 100, perAddress: {} });
    const first = work();
    const done: string[] = [];
    const ask = (kind: Kind, name: string) => turns(kind, '', async () => void done.push(name));
    const running = turns('read', '', first.run);
    const all = [
      ask('file', 'f1'),
      ask('read', 'r1'),
      ask('staff', 's1'),
      ask('insert', 'i1'),
      ask('read', 'r2'),
      ask('insert', 'i2'),
    ];
    first.end();
    await Promise.all([running, ...all]);
    expect(done).toEqual(['i1', 'i2', 's1', 'r1', 'r2', 'f1']);
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
    const turns = createAdmission({ waiting: 2, perAddress: {} });
    const first = work();
    const nothing = async () => {};
    const running = turns('insert', '', first.run);
    const waiting = [turns('insert', '', nothing), turns('insert', '', nothing)];
    await expect(turns('insert', '', nothing)).rejects.toMatchObject({ status: 503, headers: { 'retry-after': '5' } });
    first.end();
    await Promise.all([running, ...waiting]);
    await turns('insert', '', nothing);
  });

  test('an IP address at its limit of simultaneous reads can still insert a row', async () => {
    const turns = createAdmission({ waiting: 100, perAddress: { read: 1, insert: 2 } });
    const first = work();
    const nothing = async () => {};
    const running = turns('read', '203.0.113.7', first.run);
    await expect(turns('read', '203.0.113.7', nothing)).rejects.toMatchObject({ status: 503 });
    const others = [
      turns('read', '203.0.113.8', nothing),
      turns('read', '', nothing),
      turns('read', '', nothing),
      turns('insert', '203.0.113.7', nothing),
    ];
    first.end();
    await Promise.all([running, ...others]);
    await turns('read', '203.0.113.7', nothing);
  });
});

describe('counter of refused requests', () => {
  test('an IP address with too many refused requests is blocked; other addresses are not', () => {
    let now = 0;
    const refusals = createRefusalCounter(60, () => now);
    for (let count = 0; count < 60; count += 1) {
      refusals.check(networksOf('203.0.113.7'));
      refusals.count(networksOf('203.0.113.7'));
    }
    expect(() => refusals.check(networksOf('203.0.113.7'))).toThrow('Too many refused requests');
    refusals.check(networksOf('203.0.113.8'));
    now = 30_000;
    refusals.check(networksOf('203.0.113.7'));
    refusals.count(networksOf('203.0.113.7'));
    expect(() => refusals.check(networksOf('203.0.113.7'))).toThrow('Too many');
  });

  test('an IPv6 /48 network may have four times as many refused requests as a /64', () => {
    const refusals = createRefusalCounter(10, () => 0);
    const refuse = (network: number) => refusals.count(networksOf(`2001:db8:1:${network}::1`));
    for (let network = 1; network <= 40; network += 1) {
      refusals.check(networksOf(`2001:db8:1:${network}::1`));
      refuse(network);
    }
    expect(() => refusals.check(networksOf('2001:db8:1:99::1'))).toThrow('Too many refused requests');
    refusals.check(networksOf('2001:db8:2::1'));
  });

  test('a blocked IP address can send again after a minute, however many requests were refused', () => {
    let now = 0;
    const refusals = createRefusalCounter(60, () => now);
    for (let count = 0; count < 10_000; count += 1) refusals.count(networksOf('203.0.113.7'));
    now = 60_000;
    refusals.check(networksOf('203.0.113.7'));
  });

  test('refused requests from an unknown IP address are not limited; 0 turns the limit off', () => {
    const refusals = createRefusalCounter(1);
    const none = createRefusalCounter(0);
    for (let count = 0; count < 5; count += 1) {
      refusals.count(networksOf(''));
      refusals.check(networksOf(''));
      none.count(networksOf('203.0.113.7'));
      none.check(networksOf('203.0.113.7'));
    }
  });
});
