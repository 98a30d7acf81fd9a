import { expect, test } from 'vitest';
import { folioOf } from '../../src/lead/folio.ts';
import { WEBHOOK_EVENTS } from '../../src/lead/vocabulary.ts';
import { dataDirectory, runProcess, runScript, send, serving, startServer } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';
import { Webhook } from 'standardwebhooks';

test('an operator adds a webhook receiver, reads its log, sends an event again and removes it', async () => {
  const dataDir = await dataDirectory();
  const arrived: { readonly body: string; readonly headers: Record<string, string> }[] = [];
  const receiver = await serving(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    arrived.push({ body, headers: request.headers as Record<string, string> });
    response.end();
  });
  const url = `${receiver}/secret-path`;
  const environment = { DATA_DIR: dataDir, WEBHOOK_PRIVATE_HOSTS: new URL(url).host };
  const webhooks = (...parameters: string[]) => runScript('webhooks', environment, parameters);

  const { address, server } = await startServer(dataDir, environment);
  const options = ['--events', 'quote.received,offer.accepted', '--one-record'];
  const added = await runProcess('webhooks', environment, ['add', url, ...options]);
  expect(added).toMatchObject({ code: 0, errors: '' });
  const secret = /^whsec_\S+$/m.exec(added.output)![0];
  const quote = sampleQuote();
  await send(address, quote);
  await expect.poll(() => arrived.length).toBe(1);
  expect(new Webhook(secret).verify(arrived[0]!.body, arrived[0]!.headers)).toMatchObject({
    type: 'quote.received',
    data: { folio: folioOf(quote.id) },
  });
  expect(() => new Webhook(secret).verify(`${arrived[0]!.body} `, arrived[0]!.headers)).toThrow(
    'No matching signature',
  );
  await expect
    .poll(async () => (await webhooks('log')).output)
    .toMatch(/quote\.received +AP-\S+ +delivered +1 +204|200/);
  const { output: listed } = await webhooks('list');
  expect(listed).toContain(`${url}  quote.received,offer.accepted --one-record\n`);
  expect(listed).not.toContain(secret);
  const number = /^(\d+) /m.exec((await webhooks('log')).output)![1]!;
  expect(await webhooks('again', number)).toMatchObject({ code: 0, output: 'Sent again: 1.\n' });
  await expect.poll(() => arrived.length).toBe(2);
  const day = new Date().toLocaleDateString('en-CA', { timeZone: 'America/Tijuana' });
  expect(await webhooks('again', day, '--aside')).toMatchObject({ code: 1, output: 'Sent again: 0.\n' });
  expect(await webhooks('again', day)).toMatchObject({ code: 0, output: 'Sent again: 1.\n' });
  await expect.poll(() => arrived.length).toBe(3);
  expect(new Set(arrived.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await webhooks('remove', '1')).toMatchObject({ code: 0 });
  expect(await webhooks('list')).toMatchObject({ output: 'There are no receivers.\n' });
  await server.end('SIGTERM');
  // The server logs only the receiver’s host, because the path is often a secret.
  expect(server.output).toContain(`webhook quote.received ${folioOf(quote.id)} ${new URL(url).host} delivered`);
  expect(server.output).not.toContain('secret-path');
});

test.each([
  [['add', 'hooks.example.com'], 2, '"hooks.example.com" is not an address'],
  [['add', 'https://user:word@hooks.example.com/'], 2, 'is not an address'],
  [['add', 'http://hooks.example.com/'], 1, 'the address is not https. If this is intended'],
  [['add', 'https://192.168.1.7/'], 1, '192.168.1.7: the address is of a private network. If this is intended'],
  [['add', 'https://localhost/'], 1, 'localhost: the address is of a private network'],
  [['add', 'https://8.8.8.8/', '--events', 'quote.seen'], 2, `"quote.seen". There are: ${WEBHOOK_EVENTS.join(', ')}.`],
  [
    ['add', 'https://8.8.8.8/', '--events', 'quote.lost', '--one-record'],
    2,
    '--one-record needs one of these events: offer.accepted, shipment.booked.',
  ],
  [['again', 'yesterday'], 2, 'again takes the number of a delivery or a day such as 2026-11-28, not "yesterday".'],
  [['remove', '7'], 1, 'There is no receiver 7.'],
  [['send'], 2, 'aeropuente webhooks <action>'],
  [['list', 'all'], 2, 'aeropuente webhooks <action>'],
])('aeropuente webhooks refuses %j and explains the mistake', async (words, code, sentence) => {
  const ended = await runScript('webhooks', { DATA_DIR: await dataDirectory() }, words);
  expect([ended.code, ended.errors]).toEqual([code, expect.stringContaining(sentence)]);
});
