import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { dataDirectory, runQuotes, Script, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

async function run(action: 'backup' | 'restore', dataDir: string, ...parameters: string[]) {
  const script = new Script('backup', { DATA_DIR: dataDir }, [action, ...parameters]);
  return { code: await script.ended(), output: script.output, errors: script.errors };
}

const idsIn = async (dataDir: string) =>
  (JSON.parse((await runQuotes({ DATA_DIR: dataDir }, '--json')).output) as { id: string }[]).map(({ id }) => id);

/** A server with some quotes, and another place to bring them back to. */
async function place() {
  const dataDir = await dataDirectory();
  const { server, address } = await startServer(dataDir);
  const sent = [sampleQuote(), sampleQuote(), sampleQuote()];
  for (const quote of sent) expect((await send(address, quote)).status).toBe(201);
  const folder = temporaryDirectory();
  return { dataDir, server, address, sent, file: path.join(folder, 'all.tar.gz'), other: path.join(folder, 'other') };
}

test(
  'while it runs, all quotes go into one file, and come back from it where there are none',
  { timeout: 120_000 },
  async () => {
    const { dataDir, server, address, sent, file, other } = await place();
    expect(await run('backup', dataDir, file)).toMatchObject({ code: 0, errors: '' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await send(address, sampleQuote())).status).toBe(201);
    expect(await run('restore', other, file)).toMatchObject({
      code: 0,
      output: `${other} has the 3 quotes of ${file}.\n`,
    });
    expect((await idsIn(other)).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
    // What is there is never written over.
    expect(await run('backup', dataDir, file)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('there already'),
    });
    expect(await run('restore', other, file)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('nothing was touched'),
    });
    await server.end('SIGTERM');
    expect(await run('backup', dataDir, `${file}2`)).toMatchObject({ code: 0, errors: '' });
  },
);

test('only the service key brings a backup out of the server', async () => {
  const { address } = await place();
  for (const headers of [{}, { apikey: 'aeropuente-public' }] as Record<string, string>[])
    expect((await fetch(`${address}/backup`, { headers })).status).toBe(401);
});

test('killed half-way neither leaves something that looks whole', { timeout: 180_000 }, async () => {
  const { dataDir, sent, file, other } = await place();
  for (let delay = 0; delay < 4; delay += 1) {
    const making = new Script('backup', { DATA_DIR: dataDir }, ['backup', file]);
    await new Promise((resolve) => setTimeout(resolve, 400 * delay));
    await making.end('SIGKILL');
    if (existsSync(file)) break;
  }
  if (!existsSync(file)) expect(await run('backup', dataDir, file)).toMatchObject({ code: 0 });
  for (let delay = 1; delay < 5; delay += 1) {
    const bringing = new Script('backup', { DATA_DIR: other }, ['restore', file]);
    await new Promise((resolve) => setTimeout(resolve, 400 * delay));
    await bringing.end('SIGKILL');
    if (existsSync(path.join(other, 'database'))) break;
  }
  if (!existsSync(path.join(other, 'database'))) expect(await run('restore', other, file)).toMatchObject({ code: 0 });
  expect((await idsIn(other)).toSorted()).toEqual(sent.map(({ id }) => id).toSorted());
});

test('what is no whole backup is refused, and nothing is made of it', { timeout: 120_000 }, async () => {
  const { dataDir, file, other } = await place();
  expect(await run('restore', other, file)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('cannot be read'),
  });
  writeFileSync(file, 'no backup');
  expect(await run('restore', other, file)).toMatchObject({
    code: 1,
    errors: `${file} is no whole backup: nothing was made of it.\n`,
  });
  await run('backup', dataDir, `${file}2`);
  truncateSync(`${file}2`, 1_000_000);
  expect(await run('restore', other, `${file}2`)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('no whole backup'),
  });
  expect(readdirSync(other).filter((name) => name.startsWith('database'))).toEqual([]);
});
