import { expect, test } from 'vitest';
import type { Message } from '../../server/alerts/message.ts';
import { payloadOf } from '../../server/alerts/web-push.ts';

const message = { message_id: 'm', kind: 'nueva', folio: 'AP-5D7E-JYAM' } as Message;

test.each([3, 0])('a count of %i for the icon is where WebKit and where the W3C read it', (badge) => {
  const { notification, ...beside } = payloadOf({ ...message, badge }, 'tag', 'https://carga.example');
  expect(notification).toMatchObject({ mutable: true, app_badge: badge });
  expect(beside).toEqual({ web_push: 8030, mutable: true, app_badge: badge });
});

test.each([null, undefined])('a message without a count (%s) says nothing of the icon', (badge) => {
  const sent = badge === undefined ? message : { ...message, badge };
  expect(JSON.stringify(payloadOf(sent, 'tag', 'https://carga.example'))).not.toContain('app_badge');
});
