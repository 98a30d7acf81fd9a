import { readdirSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createOddRequests, type OddRequest } from './odd-requests.ts';
import { askAuth, dataDirectory, hire, runQuotes, send, startServer } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const SEED = 20_261_123;
const SIDE_BY_SIDE = 16;
/** Kinds of requests, each with the number of requests to send and the statuses that responses may have. */
const DOORS = {
  visitor: { times: 1200, expected: /^([234]\d\d|503)$/ },
  staff: { times: 500, expected: /^(20[014]|400|401|403|404|406|409|413|415|422)$/ },
  signIn: { times: 200, expected: /^(20[04]|400|401|403|404|405|413|415|422|429)$/ },
  watch: { times: 120, expected: /^(200|401|404|405)$/ },
  site: { times: 500, expected: /^(200|304|404|405|417)$/ },
} as const;
const SOCKETS = 600;

type Door = keyof typeof DOORS;

async function signedIn(dataDir: string, address: string): Promise<{ token: string; person: string }> {
  const answer = await askAuth(address, 'password', await hire(dataDir));
  const { access_token: token, user } = (await answer.json()) as { access_token: string; user: { id: string } };
  return { token, person: user.id };
}

test('malformed requests never crash the server or reveal another person’s data', async () => {
  const limits = {
    LIMIT_REFUSED_PER_ADDRESS: '0',
    RATE_LIMIT_OVERALL: '0',
    LIMIT_WRONG_PASSWORDS_PER_ADDRESS: '10000',
  };
  const dataDir = await dataDirectory();
  const { server, address } = await startServer(dataDir, limits);
  const port = Number(new URL(address).port);
  const others = [
    sampleQuote({ nombre: 'Vecina', email: 'vecina@ejemplo.mx' }),
    sampleQuote({ nombre: 'Vecina', email: 'vecina2@ejemplo.mx' }),
  ];
  for (const quote of others) expect((await send(address, quote)).status).toBe(201);
  const odd = createOddRequests(SEED, {
    ...(await signedIn(dataDir, address)),
    quotes: others.map(({ id }) => id),
    files: ['/', '/mesa.html', '/privacidad', ...readdirSync('dist/assets').map((name) => `/assets/${name}`)],
  });

  const agent = new Agent({ keepAlive: true, maxSockets: SIDE_BY_SIDE });
  const statuses: Partial<Record<string, number>> = {};
  const bad: string[] = [];

  function judge(
    door: Door,
    { method, path }: OddRequest,
    { statusCode: status = 0, headers }: IncomingMessage,
    text: string,
  ) {
    statuses[`${door} ${status}`] = (statuses[`${door} ${status}`] ?? 0) + 1;
    const isSafe = headers['x-content-type-options'] === 'nosniff' && headers['content-security-policy'];
    if (DOORS[door].expected.test(String(status)) && isSafe && !/vecina/i.test(text)) return;
    bad.push(`${door}: ${method} ${path} ${status} ${JSON.stringify(headers)} ${text}`.slice(0, 700));
  }

  const askOnce = (door: Door) =>
    new Promise<void>((resolve) => {
      const question = odd.doors[door]();
      const { method, path, headers, body } = question;
      const sending = request({ port, method, path, headers, agent, timeout: 20_000 }, (answer) => {
        let text = '';
        answer.on('data', (data: Buffer) => (text += data));
        answer.on('error', () => resolve());
        answer.on('end', () => {
          judge(door, question, answer, text);
          resolve();
        });
      });
      sending.on('timeout', () => {
        bad.push(`${method} ${path} hangs`);
        sending.destroy();
      });
      sending.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') bad.push(`Nobody is there any more for ${method} ${path}`);
        resolve();
      });
      sending.end(body);
    });

  const sendBytes = () =>
    new Promise<void>((resolve) => {
      const bytes = odd.bytes();
      const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
      socket.setTimeout(30_000, () => {
        bad.push(`A socket hangs after ${JSON.stringify(bytes.toString('latin1'))}`);
        socket.destroy();
      });
      socket.on('data', (data: Buffer) => {
        if (/^HTTP\S+ 5(?!03)\d\d /.test(data.toString('latin1').slice(0, 20)))
          bad.push(`${bytes.toString('latin1')} → ${data.toString().slice(0, 100)}`);
      });
      socket.on('error', () => resolve());
      socket.on('close', () => resolve());
    });

  const inTurns = async (times: number, work: () => Promise<void>) => {
    let left = times;
    await Promise.all(
      Array.from({ length: SIDE_BY_SIDE }, async () => {
        while (left-- > 0) await work();
      }),
    );
  };
  for (const door of Object.keys(DOORS) as Door[]) {
    await inTurns(DOORS[door].times, () => askOnce(door));
    expect(bad.slice(0, 5), `seed ${SEED}`).toEqual([]);
  }
  await inTurns(SOCKETS, sendBytes);
  agent.destroy();

  expect(bad.slice(0, 5), `seed ${SEED}`).toEqual([]);
  // Statuses that must occur, because otherwise the server’s first checks may have refused every request.
  const reached = {
    visitor: [200, 201, 400, 401, 404, 405],
    staff: [200, 201, 204, 400],
    signIn: [400, 401, 404],
    watch: [200, 401],
    site: [200, 404, 405],
  };
  for (const [door, each] of Object.entries(reached))
    for (const status of each)
      expect(statuses[`${door} ${status}`] ?? 0, `${door} ${status} of ${JSON.stringify(statuses)}`).toBeGreaterThan(2);
  expect(server.errors).toMatch(/^Requests have X-Forwarded-For, but TRUST_PROXY is 0: .*\n$/);
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  expect((await send(address, sampleQuote())).status).toBe(201);
  const rows = JSON.parse((await runQuotes({ DATA_DIR: dataDir }, '--json')).output) as { id: string }[];
  for (const quote of others) expect(rows).toContainEqual(expect.objectContaining(quote));
});
