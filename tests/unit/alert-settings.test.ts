import { expect, test } from 'vitest';
import { readSettings } from '../../server/settings.ts';

test.each([
  [{ SMTP_URL: 'smtp://127.0.0.1' }, 'SMTP_URL and ALERT_MAIL must be set together'],
  [{ SMTP_URL: 'mail:secret@host', ALERT_MAIL: 'a@b.mx' }, 'SMTP_URL must be an address'],
  [{ SMTP_URL: 'smtp://host', ALERT_MAIL: 'nobody' }, 'ALERT_MAIL must be an e-mail address'],
  [{ PUSH_SERVICES: 'https://push.example' }, 'PUSH_SERVICES must be hosts'],
])('%o is refused in a sentence without the password', (wrong, sentence) => {
  expect(() => readSettings(wrong)).toThrow(sentence);
  expect(() => readSettings(wrong)).not.toThrow('secret');
});
