import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { handOffCode } from '../../src/lead/hand-off-code.ts';
import { keysIn, linkCode, linkKey } from '../../src/lead/quote-link.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { newId } from '../../src/lead/quote.ts';
import { sampleQuote } from '../integration/sample-quote.ts';

const bytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
const halfOf = (...ids: string[]) =>
  createHash('sha256')
    .update(Buffer.concat(ids.map(bytes)))
    .digest('hex')
    .slice(0, 32);

test('the key of a share link is derived from the quote’s id and its last revocation', async () => {
  const [id, closing] = [newId(), newId()];
  expect((await linkKey(id, undefined)).replaceAll('-', '')).toBe(halfOf(id));
  expect((await linkKey(id, closing)).replaceAll('-', '')).toBe(halfOf(id, closing));
});

test('the code of a share link is found in any pasted text', async () => {
  const ids = [newId(), newId()];
  const keys = await Promise.all(ids.map((id) => linkKey(id, undefined)));
  const [one = '', other = ''] = await Promise.all(ids.map((id) => linkCode(id, undefined)));
  const address = `https://ejemplo.mx/#ver=${one}`;
  expect(keysIn(address)).toEqual([keys[0]]);
  expect(keysIn(`Mire: ${address}.\n> https://ejemplo.mx/#ver=${other.toLowerCase()} (${address})`)).toEqual(keys);
  expect(keysIn(one)).not.toContain(ids[0]);
});

test('a truncated or changed code of a share link is refused', async () => {
  const code = await linkCode(newId(), undefined);
  for (let at = 0; at < code.length; at += 1) {
    expect(keysIn(code.slice(0, at))).toEqual([]);
    expect(keysIn(code.slice(0, at) + (code[at] === '7' ? '8' : '7') + code.slice(at + 1))).toEqual([]);
  }
  expect(keysIn(`${code}0`)).toEqual([]);
  expect(keysIn(handOffCode(sampleQuote()))).toEqual([]);
  expect(keysIn('')).toEqual([]);
});

test('the tag of a quote’s notifications is the start of a hash of its lower-case id', async () => {
  const id = newId();
  const tag = await quoteTag(id.toUpperCase());
  const hash = createHash('sha256').update(`aeropuente ${id}`).digest();
  expect(hash.subarray(0, Buffer.from(tag, 'base64url').length).toString('base64url')).toBe(tag);
});
