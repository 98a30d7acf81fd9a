import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAddressOf } from '../../server/http.ts';

const said = vi.spyOn(console, 'error');
beforeEach(() => void said.mockReset().mockReturnValue());
afterEach(() => void said.mockReset());

const visit = (remoteAddress: string, ...forwarded: string[]) => ({
  socket: { remoteAddress },
  headersDistinct: forwarded.length > 0 ? { 'x-forwarded-for': forwarded } : {},
});

test('without a proxy the socket says who asks', () => {
  const addressOf = createAddressOf(0);
  expect(addressOf(visit('203.0.113.7'))).toBe('203.0.113.7');
  expect(addressOf(visit('::ffff:203.0.113.7'))).toBe('203.0.113.7');
  expect(addressOf(visit('2001:db8::1'))).toBe('2001:db8::1');
  expect(said).not.toHaveBeenCalled();
});

test('without a proxy a visitor cannot pose as another, and it is said, once, that the header arrived', () => {
  const addressOf = createAddressOf(0);
  for (let time = 0; time < 3; time += 1) expect(addressOf(visit('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7');
  expect(said).toHaveBeenCalledTimes(1);
  expect(said.mock.calls[0]![0]).toContain('TRUST_PROXY is 0');
});

// Else sixty quotes of one visitor would close the intake for all that come through it.
test.each(['127.0.0.1', '10.1.2.3', '172.20.0.2', '192.168.1.1', '::1', 'fd00::2'])(
  'a proxy at %s that nobody told of has no address of its own',
  (proxy) => {
    expect(createAddressOf(0)(visit(proxy, '203.0.113.7'))).toBe('');
    expect(createAddressOf(0)(visit(proxy))).toBe(proxy);
    expect(said).toHaveBeenCalledTimes(1);
  },
);

test('of what stands in the header only what our own proxies wrote counts', () => {
  const through = visit('10.0.0.1', '1.1.1.1, 203.0.113.7', '198.51.100.4');
  expect(createAddressOf(1)(through)).toBe('198.51.100.4');
  expect(createAddressOf(2)(through)).toBe('203.0.113.7');
  expect(said).not.toHaveBeenCalled();
});

test.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['"203.0.113.7"', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  // What is no address is counted as its proxy, and not passed by.
  ['unknown', '10.0.0.1'],
  ['', '10.0.0.1'],
  ['203.0.113.7.evil', '10.0.0.1'],
])('a proxy that writes %o means %s', (written, address) => {
  expect(createAddressOf(1)(visit('10.0.0.1', written))).toBe(address);
});
