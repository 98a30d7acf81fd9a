import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LIMITS } from '../../server/limits.ts';
import { changedLimits, readLimits, readSettings } from '../../server/settings.ts';

test('docs/operating.md lists each limit with its variable, default value and meaning', () => {
  const [, section = ''] = /## Limits\n(.*?)\n## /s.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  const rows = [...section.matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(Object.entries(LIMITS).map(([name, { usual, of }]) => [name, String(usual), of]));
});

test.each(Object.entries(LIMITS))('the limit %s can be set only within its bounds', (name, { usual, from, to }) => {
  expect(readLimits({})).toHaveProperty(name, usual);
  expect(changedLimits(readLimits({ [name]: String(usual) }))).toEqual([]);
  expect(changedLimits(readLimits({ [name]: String(to) }))).toEqual([`${name}=${to}`]);
  for (const wrong of ['many', '-1', String(to + 1), ...(from > 0 ? [String(from - 1)] : [])])
    expect(() => readLimits({ [name]: wrong })).toThrow(`${name} must be a whole number from ${from} to ${to}`);
});

test.each(['PORT', 'TRUST_PROXY'])('a setting %s that is not a number is refused with an explanation', (name) => {
  expect(() => readSettings({ [name]: 'many' })).toThrow(
    new RegExp(`^${name} must be a whole number from 0 to \\d+; it is "many"\\.$`),
  );
});

test.each([
  [{ SMTP_URL: 'smtp://127.0.0.1' }, 'SMTP_URL must be set together with ALERT_MAIL'],
  [{ SMTP_URL: 'mail:secret@host', ALERT_MAIL: 'a@b.mx' }, 'SMTP_URL must be an address'],
  [{ SMTP_URL: 'smtp://host', ALERT_MAIL: 'nobody' }, 'ALERT_MAIL must be an e-mail address'],
  [{ PUSH_SERVICES: 'https://push.example' }, 'PUSH_SERVICES must be hosts'],
  [{ WHATSAPP_TOKEN: 'secret' }, 'WHATSAPP_PHONE_ID is not set: WhatsApp needs'],
  [{ WHATSAPP_PHONE_ID: '+52 55', WHATSAPP_TOKEN: 'secret' }, 'WHATSAPP_PHONE_ID must be the id'],
  [{ WHATSAPP_VERIFY_TOKEN: 'secret' }, 'WHATSAPP_VERIFY_TOKEN must be 16 characters'],
  [{ WHATSAPP_TEMPLATE_NEWS: 'Ya salió' }, 'WHATSAPP_TEMPLATE_NEWS must be the name of a template'],
])('the error explains why %o is refused, without repeating the password', (wrong, sentence) => {
  expect(() => readSettings(wrong)).toThrow(sentence);
  expect(() => readSettings(wrong)).not.toThrow('secret');
});
