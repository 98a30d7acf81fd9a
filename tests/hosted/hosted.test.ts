import { readFile } from 'node:fs/promises';
import { createClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchWithKey } from '../../src/lead/api-key.ts';
import { askAsOwner } from '../integration/callers.ts';
import { sampleQuote } from '../integration/sample-quote.ts';
import { startBoth, type Answered, type Asked, type Both } from './both.ts';
import { DIFFERENCES, OF_CALLERS, statusAndCode } from './differences.ts';
import { documentWith } from './document.ts';
import { whyNotHosted } from './programs.ts';
import { writtenRequests } from './requests.ts';
import { chancesFrom, REQUESTS, tellStory } from './stories.ts';

// Compares a hosted project, which runs Supabase’s own programs, with the embedded server.
// Both must answer identically, except for the differences in docs/hosted-differences.md.

const SEED = Number(process.env['HOSTED_SEED'] ?? 20_261_123);
const STORIES = 130;

const DOCUMENT = 'docs/hosted-differences.md';

test(`${DOCUMENT} lists all known differences between the servers (update: npx vitest run --project hosted --update)`, async () => {
  const document = documentWith(await readFile(DOCUMENT, 'utf8'), DIFFERENCES, STORIES * REQUESTS);
  await expect(document).toMatchFileSnapshot(`../../${DOCUMENT}`);
});

describe.skipIf(whyNotHosted())('a hosted project and the embedded server', () => {
  let both: Both;
  /** Requests that the two servers answer differently without a listed difference, grouped by the two answers. */
  const unlisted = new Map<string, string[]>();

  beforeAll(async () => {
    both = await startBoth();
    await both.runOnBoth(`
      update private.quote_limits set per_address = 0, overall = 0;
      insert into public.push_keys (public_key, private_key) values ('the public one', 'the other one')`);
  });
  afterAll(() => both?.close());

  async function compare(question: Asked): Promise<Answered> {
    const [hosted, embedded] = await both.ask(question);
    const isEqual = JSON.stringify(hosted) === JSON.stringify(embedded);
    const isListed = OF_CALLERS.some(
      (each) =>
        each.example.as === question.as &&
        each.hosted === statusAndCode(hosted) &&
        each.embedded === statusAndCode(embedded),
    );
    if (!isEqual && !isListed) {
      const kind = `${question.method}: ${statusAndCode(hosted)}, and embedded ${statusAndCode(embedded)}`;
      const words = [question, hosted, embedded].map((each) => JSON.stringify(each));
      unlisted.set(kind, [...(unlisted.get(kind) ?? []), words.join('\n')]);
    }
    return embedded;
  }

  function expectNoneUnlisted(): void {
    const kinds = [...unlisted].map(([kind, [first, ...others]]) => `${others.length + 1} × ${kind}\n${first}`);
    unlisted.clear();
    expect(kinds.join('\n\n'), `seed ${SEED}`).toBe('');
  }

  test('embedded server and hosted project give identical answers from a quote’s arrival to its erasure', async () => {
    const chance = chancesFrom(SEED, both.minted);
    const ask = async (question: Asked) => {
      const { status, body } = await compare(question);
      return status < 300 && body ? (JSON.parse(body) as Record<string, unknown>[]) : [];
    };
    for (let count = 0; count < STORIES; count++) await tellStory(ask, chance);
    expectNoneUnlisted();
  });

  test('embedded server and hosted project answer every kind of request of phones and desk identically', async () => {
    const [quote] = await idsOf('quotes');
    for (const question of writtenRequests(quote!)) await compare(question);
    expectNoneUnlisted();
  });

  test('embedded server and hosted project refuse a visitor above the IP address limit identically', async () => {
    await both.runOnBoth('update private.quote_limits set per_address = 1');
    const [quote_id] = await idsOf('quotes');
    const keys = { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) };
    const device = { endpoint: 'https://push.example.com/x', ...keys, quote_id };
    const presenting = { 'x-submission-id': quote_id! };
    for (let times = 0; times < 2; times++) {
      const body = { ...sampleQuote(), empresa: `E${times}` };
      const { status, headers } = await compare({ as: 'visitor', method: 'POST', path: 'quotes', body });
      expect([status, headers['retry-after']]).toEqual([429, '300']);
      await compare({ as: 'visitor', method: 'POST', path: 'push_devices', headers: presenting, body: device });
    }
    await both.runOnBoth('update private.quote_limits set per_address = 0');
    expectNoneUnlisted();
  });

  test.each([
    ['newer', 'publishable', 'secret'],
    ['older', 'anon', 'service'],
  ] as const)('a hosted project answers a Supabase client with the %s keys', async (_, open, service) => {
    const { keys, answer } = both.project;
    const client = (key: string) =>
      createClient('http://localhost', key, {
        auth: { persistSession: false, autoRefreshToken: false },
        global: {
          fetch: fetchWithKey(key, async (input, init) => {
            const response = await answer(new Request(input, init), '203.0.113.9');
            expect(response.headers.get('access-control-allow-origin')).toBe('*');
            return response;
          }),
        },
      });
    const quote = sampleQuote();
    const stored = client(keys[open]).from('quotes').upsert(quote, { onConflict: 'id', ignoreDuplicates: true });
    expect(await stored.select()).toMatchObject({ status: 201, data: [quote] });
    const read = (key: string) => client(key).from('quotes').select('nombre').eq('id', quote.id);
    expect(await read(keys[open])).toMatchObject({ status: 200, data: [] });
    expect(await read(keys[service])).toMatchObject({ status: 200, data: [{ nombre: quote.nombre }] });
  });

  // Some of these tests store a row on one server only. They run last, because the other tests need equal rows.
  test.each(DIFFERENCES.map((difference) => [difference.what, difference] as const))(
    'the two servers differ as listed: %s',
    async (_, { example, hosted, embedded }) => {
      const [one, other] = await both.ask(example);
      expect([statusAndCode(one), statusAndCode(other)], `${one.body}\n${other.body}`).toEqual([hosted, embedded]);
      expect(JSON.stringify(one)).not.toBe(JSON.stringify(other));
    },
  );

  const idsOf = async (table: string) =>
    (await askAsOwner<{ id: string }>(both.embedded, `select id from public.${table} order by id`)).map(({ id }) => id);
});
