import { expect, test, vi } from 'vitest';
import { readAlertSettings } from '../../server/alerts/settings.ts';
import { createHookHandler, workHooks, type HookStore } from '../../server/channels/whatsapp/hooks.ts';
import { itemsOf, type HookItem } from '../../server/channels/whatsapp/items.ts';
import { outcomeOfCode } from '../../server/alerts/whatsapp.ts';
import { isSigned } from '../../server/channels/whatsapp/signature.ts';
import { ERROR_GROUPS } from '../../src/lead/whatsapp-codes.ts';

/** Documented errors, one of each kind, with the outcome of a third attempt and the seconds until a fourth. */
const CONSEQUENCES: readonly [code: number, kind: string, seconds?: number][] = [
  [131047, 'template'],
  [131026, 'failed'],
  [130429, 'again'],
  [131056, 'again', 64],
  [131048, 'rest', 900],
  [131000, 'again'],
  [4, 'again', 300],
  [190, 'rest', 900],
  [200, 'rest', 900],
  [299, 'rest', 900],
  [100, 'failed'],
  [132001, 'failed'],
  [999, 'failed'],
];

const body = '{"object":"whatsapp_business_account","entry":[]}';
const signature = 'dec6a680679a968e7e0319355b23599cbfc54502c0784668e9618baa0c633756';
const bytes = (text: string) => new TextEncoder().encode(text);

test('a webhook from WhatsApp is accepted only if its signature matches its bytes', async () => {
  const isAccepted = (text: string, header: string | null, secret = 'test_app_secret') =>
    isSigned(bytes(text), header, secret);
  expect(await isAccepted(body, `sha256=${signature}`)).toBe(true);
  for (const wrong of [
    null,
    '',
    signature,
    `sha1=${signature}`,
    `sha256=${signature.slice(2)}`,
    `sha256=${signature}00`,
    `sha256=${signature.replace('d', 'e')}`,
    `sha256=${signature},sha256=${signature}`,
  ])
    expect(await isAccepted(body, wrong), String(wrong)).toBe(false);
  // A body with the same JSON value in other bytes is refused, and so is the signature of another secret.
  expect(await isAccepted(body.replace(',', ', '), `sha256=${signature}`)).toBe(false);
  expect(await isAccepted(body, `sha256=${signature}`, 'another_secret')).toBe(false);
});

const settings = readAlertSettings({
  WHATSAPP_TOKEN: 'token-of-tests',
  WHATSAPP_PHONE_ID: '1',
  WHATSAPP_APP_SECRET: 'test_app_secret',
  WHATSAPP_VERIFY_TOKEN: 'verify-token-of-tests',
}).whatsapp!;

test('a webhook with bad headers is refused before its body is read', async () => {
  const handle = createHookHandler(settings, { store: async () => undefined } as unknown as HookStore, vi.fn());
  const post = async (sent: BodyInit, headers: Record<string, string>) => {
    const request = { method: 'POST', headers, body: sent, duplex: 'half' } as RequestInit;
    return (await handle(new Request('http://localhost/whatsapp', request))).status;
  };
  const untouched = () => new ReadableStream({ pull: () => Promise.reject(new Error('read')) }, { highWaterMark: 0 });
  const forged = { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
  expect(await post(untouched(), { 'x-hub-signature-256': 'sha256=0' })).toBe(401);
  expect(await post(untouched(), { ...forged, 'content-length': '3145729' })).toBe(413);

  const ends: (() => void)[] = [];
  const slow = () => new ReadableStream({ start: (controller) => void ends.push(() => controller.close()) });
  const large = [{}, {}, { 'content-length': '65537' }, { 'content-length': '3145728' }];
  const answers = large.map((more) => post(slow(), { ...forged, ...more }));
  expect(await post(untouched(), forged)).toBe(503);
  const usual = { 'x-hub-signature-256': `sha256=${signature}`, 'content-length': '50' };
  expect(await post(body, usual)).toBe(200);
  for (const end of ends) end();
  expect(await Promise.all(answers)).toEqual([401, 401, 401, 401]);
  expect(await post('{}', forged)).toBe(401);
});

/** Returns a webhook as JSON text, because only an escape in JSON can be half of a surrogate pair. */
const hookOf = (message: string) =>
  `{"entry":[{"changes":[{"field":"messages","value":{"metadata":{"phone_number_id":"1"},"messages":[${message}]}}]}]}`;

test('a WhatsApp message is stored without the characters that PostgreSQL cannot store', () => {
  const place = hookOf(
    String.raw`{"id":"w","from":"526641234567","type":"location","location":{"name":"a\u0000\ud800b","latitude":1,"longitude":2}}`,
  );
  expect(itemsOf(place, '1', 1)).toMatchObject([{ body: '[Ubicación] a\ufffdb · 1, 2' }]);
});

test('a webhook that the database refuses does not stop the processing of other webhooks', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const finished: (readonly HookItem[])[] = [];
  const batches = [[1, 2].map((id) => ({ id, raw: hookOf(`{"id":"w${id}","from":"1","type":"text"}`) }))];
  const store = {
    claim: async () => batches.shift() ?? [],
    claimMedia: async () => [],
    async finish(id: number, _at: Date, items: readonly HookItem[]) {
      if (id === 1) throw new Error('invalid input syntax for type json');
      finished.push(items);
      return 0;
    },
  } as unknown as HookStore;
  await workHooks({ store, settings, fetch: vi.fn() });
  expect(finished).toMatchObject([[{ id: 'w2' }]]);
  expect(said).toHaveBeenCalledOnce();
  said.mockRestore();
});

test.each(CONSEQUENCES)('WhatsApp’s error %i ends an attempt as "%s"', (code, kind, seconds) => {
  const outcome = outcomeOfCode(code, 3);
  expect(outcome).toMatchObject({ kind, code, why: String(code) });
  expect('after' in outcome ? outcome.after / 1000 : undefined).toBe(seconds);
});

test('each WhatsApp error code belongs to only one group', () => {
  const codes = Object.values(ERROR_GROUPS).flatMap((group): readonly number[] => group.codes);
  expect(new Set(codes).size).toBe(codes.length);
});
