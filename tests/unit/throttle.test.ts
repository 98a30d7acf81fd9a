import { expect, test } from 'vitest';
import { networksOf } from '../../server/admission.ts';
import { createPasswordChecks, createThrottle } from '../../server/auth/throttle.ts';
import { readLimits } from '../../server/settings.ts';

test.each([
  ['203.0.113.7', { network: '203.0.113.7' }],
  ['', { network: '' }],
  ['2001:db8::1', { network: '2001:db8:0:0', wider: '2001:db8:0' }],
  ['2001:0DB8:0:0:ffff::2%eth0', { network: '2001:db8:0:0', wider: '2001:db8:0' }],
  ['2001:db8:1:2:3:4:5:6', { network: '2001:db8:1:2', wider: '2001:db8:1' }],
  ['64:ff9b::203.0.113.7', { network: '64:ff9b:0:0', wider: '64:ff9b:0' }],
  ['2001:db8:1::', { network: '2001:db8:1:0', wider: '2001:db8:1' }],
  ['::1', { network: '0:0:0:0', wider: '0:0:0' }],
])('the sign-in limits count the IP address %s in the networks %o', (address, places) =>
  expect(networksOf(address)).toEqual(places),
);

test('an IPv6 /48 network may try four times as many passwords as a /64 network', () => {
  const throttle = createThrottle(readLimits({ LIMIT_WRONG_PASSWORDS_PER_ADDRESS: '1' }), () => 0);
  for (let network = 0; network < 4; network += 1) throttle.begin(`name ${network}`, `2001:db8:0:${network}::1`);
  expect(() => throttle.begin('name', '2001:db8:0:9::1')).toThrow('rate limit');
  throttle.begin('name', '2001:db8:1::1');
});

test('wrong passwords from an unknown IP address block sign-in only for the account tried', () => {
  const throttle = createThrottle(readLimits({ LIMIT_WRONG_PASSWORDS_PER_ACCOUNT: '30' }), () => 0);
  for (let time = 0; time < 30; time += 1) throttle.begin('ana', '');
  // A successful sign-in from an unknown address does not unblock the account.
  throttle.rememberSignIn('ana', '');
  expect(() => throttle.begin('ana', '')).toThrow('rate limit');
  for (let name = 0; name < 100; name += 1) throttle.begin(`name ${name}`, '');
});

test('sign-in attempts are allowed again one by one, as earlier attempts become old', () => {
  let now = 0;
  const throttle = createThrottle(readLimits({}), () => now);
  for (; now < 5; now += 1) throttle.begin('ana', '203.0.113.7');
  now = 15 * 60_000;
  throttle.begin('ana', '203.0.113.7');
  expect(() => throttle.begin('ana', '203.0.113.7')).toThrow('rate limit');
  now += 1;
  throttle.begin('ana', '203.0.113.7');
});

test('an IP address cannot reset its sign-in limit by trying thousands of names', () => {
  const throttle = createThrottle(readLimits({ LIMIT_WRONG_PASSWORDS_PER_ADDRESS: '2' }), () => 0);
  for (const name of ['ana', 'beto']) throttle.begin(name, '203.0.113.7');
  for (let name = 0; name < 11_000; name += 1)
    expect(() => throttle.begin(`name ${name}`, '203.0.113.7')).toThrow('rate limit');
});

test('the server runs two password checks at a time, lets twenty wait, and refuses more', async () => {
  const checks = createPasswordChecks();
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  let most = 0;
  let running = 0;
  const work = async (place: number) => {
    begun.push(place);
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
    if (ends.length % 2 === 0) throw new Error('failed');
  };
  const places = Array.from({ length: 22 }, (_, place) => place);
  const ask = (place: number) => checks(`203.0.113.${place}`, () => work(place));
  const checking = places.map((place) => ask(place).catch(() => undefined));
  await expect(ask(22)).rejects.toMatchObject({ status: 429, retryAfter: 5 });
  for (const count of places) {
    await new Promise((resolve) => setTimeout(resolve));
    ends[count]!();
  }
  await Promise.all(checking);
  expect(most).toBe(2);
  expect(begun).toEqual(places);
  await Promise.all([checks('', async () => {}), checks('', async () => {})]);
});

test('an IP network may have only five password checks at a time', async () => {
  const checks = createPasswordChecks();
  const { promise, resolve } = Promise.withResolvers<void>();
  const ask = (address: string) => checks(address, () => promise);
  const checking = Array.from({ length: 5 }, (_, host) => ask(`2001:db8::${host}`));
  await expect(ask('2001:db8::9')).rejects.toMatchObject({ status: 429 });
  checking.push(ask('2001:db8:0:1::9'));
  resolve();
  await Promise.all(checking);
  await ask('2001:db8::9');
});
