import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAddressOf } from '../../server/http.ts';

const warned = vi.spyOn(console, 'error');
beforeEach(() => void warned.mockReset().mockReturnValue());
afterEach(() => void warned.mockReset());

const visit = (remoteAddress: string, ...forwarded: string[]) => ({
  socket: { remoteAddress },
  headersDistinct: forwarded.length > 0 ? { 'x-forwarded-for': forwarded } : {},
});

test('the server reads the visitor’s IP address from the socket when no proxy is declared', () => {
  const addressOf = createAddressOf(0);
  expect(addressOf(visit('203.0.113.7'))).toBe('203.0.113.7');
  expect(addressOf(visit('::ffff:203.0.113.7'))).toBe('203.0.113.7');
  expect(addressOf(visit('2001:db8::1'))).toBe('2001:db8::1');
  expect(warned).not.toHaveBeenCalled();
});

test('the server ignores X-Forwarded-For when no proxy is declared, and warns once', () => {
  const addressOf = createAddressOf(0);
  for (let time = 0; time < 3; time += 1) expect(addressOf(visit('203.0.113.7', '198.51.100.1'))).toBe('203.0.113.7');
  expect(warned).toHaveBeenCalledTimes(1);
  expect(warned.mock.calls[0]![0]).toContain('TRUST_PROXY is 0');
});

// With the proxy’s own address, the limits for each IP address would count all its visitors as one visitor.
test.each(['127.0.0.1', '10.1.2.3', '172.20.0.2', '192.168.1.1', '::1', 'fd00::2'])(
  'the visitor’s IP address is unknown when the undeclared proxy %s forwards the request',
  (proxy) => {
    expect(createAddressOf(0)(visit(proxy, '203.0.113.7'))).toBe('');
    expect(createAddressOf(0)(visit(proxy))).toBe(proxy);
    expect(warned).toHaveBeenCalledTimes(1);
  },
);

test('the server reads from X-Forwarded-For only an address that a declared proxy wrote', () => {
  const through = visit('10.0.0.1', '1.1.1.1, 203.0.113.7', '198.51.100.4');
  expect(createAddressOf(1)(through)).toBe('198.51.100.4');
  expect(createAddressOf(2)(through)).toBe('203.0.113.7');
  expect(warned).not.toHaveBeenCalled();
});

test.each([
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['"203.0.113.7"', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  // The proxy’s address replaces a forwarded value that is not an address.
  ['unknown', '10.0.0.1'],
  ['', '10.0.0.1'],
  ['203.0.113.7.evil', '10.0.0.1'],
])('the X-Forwarded-For value %o is read as the IP address %s', (written, address) => {
  expect(createAddressOf(1)(visit('10.0.0.1', written))).toBe(address);
});
