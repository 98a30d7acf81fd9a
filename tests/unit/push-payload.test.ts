import { expect, test } from 'vitest';
import { textOf, type AlertMessage } from '../../server/alerts/message.ts';
import { isKey, readSecretKey } from '../../server/alerts/keys.ts';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import { isPushService, payloadOf } from '../../server/alerts/web-push.ts';

const message = { message_id: 'm', kind: 'nueva', folio: 'AP-5D7E-JYAM' } as AlertMessage;

test.each([3, 0])('a push message contains the badge %i in the fields of WebKit and of the W3C', (badge) => {
  const { notification, ...beside } = payloadOf({ ...message, badge }, 'tag', 'https://carga.example');
  expect(notification).toMatchObject({ mutable: true, app_badge: badge });
  expect(beside).toEqual({ web_push: 8030, mutable: true, app_badge: badge });
});

test('a push message without a badge leaves the app icon unchanged', () => {
  for (const alert of [message, { ...message, badge: null }])
    expect(JSON.stringify(payloadOf(alert, 'tag', 'https://carga.example'))).not.toContain('app_badge');
});

test('an alert to a customer opens the list of quotes; any other alert opens the desk', () => {
  const about = { folio: 'AP-5D7E-JYAM', leads: 1 };
  const linkOf = (kind: AlertMessage['kind']) => textOf({ kind, ...about }, 'https://carga.example').link;
  for (const kind of ['respuesta', 'resultado'] as const)
    expect(linkOf(kind)).toBe('https://carga.example/#mis-cotizaciones');
  for (const kind of ['nueva', 'recuperada', 'quedan30', 'pregunta', 'aceptada', 'recordar', 'nadie'] as const)
    expect(linkOf(kind)).toBe('https://carga.example/mesa.html#AP-5D7E-JYAM');
});

test.each([
  ['https://fcm.googleapis.com/fcm/send/x', true],
  ['https://updates.push.services.mozilla.com/wpush/v2/x', true],
  ['https://web.push.apple.com/x', true],
  ['https://wns2-par02p.notify.windows.com/w/?token=x', true],
  ['https://push.example.com:8443/x', true],
  ['https://one.push.example.org/x', true],
  ['https://push.example.com/x', false],
  ['https://fcm.googleapis.com:22/x', false],
  ['https://fcm.googleapis.com@127.0.0.1/x', false],
  ['https://user@fcm.googleapis.com/x', false],
  ['https://xpush.apple.com/x', false],
  ['http://fcm.googleapis.com/x', false],
  ['nowhere', false],
])('%s counts as a push service: %s', (endpoint, is) => {
  const { services } = readAlertSettings({ PUSH_SERVICES: 'Push.Example.com:8443, *.Push.example.org' });
  expect(isPushService(endpoint, services)).toBe(is);
});

test.each([
  [null, 'key', false],
  ['', '', false],
  ['', undefined, false],
  ['undefined', undefined, false],
  ['key', 'keys', false],
  ['key', 'key', true],
])('a call with the key %s to a function with the key %s is allowed: %s', async (given, key, is) => {
  expect(await isKey(given, key)).toBe(is);
});

test('the alert function on hosted Supabase uses the newest kind of secret key', () => {
  const signed = { SUPABASE_SERVICE_ROLE_KEY: 'signed' };
  expect(readSecretKey({ ...signed, SUPABASE_SECRET_KEYS: '{"default":"sb_secret_x"}' })).toBe('sb_secret_x');
  expect(readSecretKey({ ...signed, SUPABASE_SECRET_KEYS: '{"automations":"sb_secret_y"}' })).toBe('sb_secret_y');
  expect(readSecretKey(signed)).toBe('signed');
  expect(() => readSecretKey({})).toThrow('no key');
});
