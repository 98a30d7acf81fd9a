import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { carryOut, openPglite } from '../../server/database/pglite.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { dataDirectory, runQuotes, runScript, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

/** Said nowhere else, and by no compression made into something else. */
const word = () => randomBytes(9).toString('hex');
const [name, company, answer, reply, note, long] = [word(), word(), word(), word(), word(), word()];
const SAID = [name, company, answer, reply, note, long];
/** So long that PostgreSQL puts it into a table of its own. */
const LONG = `${long} ${randomBytes(1900).toString('hex')}`;

/** Which of the words stand in these bytes. */
const found = (bytes: Buffer) => SAID.filter((each) => bytes.includes(each));

function foundIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ parentPath, name: file }) =>
    found(readFileSync(path.join(parentPath, file))).map((each) => `${file}: ${SAID.indexOf(each)}`),
  );
}

const quote = sampleQuote({ nombre: name, empresa: company, email: `${name}@erased.mx` });
const FOLIO = folioOf(quote.id);

/** A quote with all that can be said about it, and analysed, beside others. */
async function talkedAbout(): Promise<string> {
  const dataDir = await dataDirectory();
  const { server, address } = await startServer(dataDir);
  for (const each of [sampleQuote(), quote, sampleQuote()]) expect((await send(address, each)).status).toBe(201);
  expect(await runQuotes({ DATA_DIR: dataDir }, 'answer', FOLIO, '--text', answer)).toMatchObject({ code: 0 });
  await server.end('SIGTERM');
  const pglite = await openPglite(databaseFolderIn(dataDir));
  const insert = (sql: string, ...parameters: string[]) => carryOut(pglite, [{ sql, parameters }], 'write');
  await insert(
    "insert into public.quote_replies (id, quote_id, kind, body) values (gen_random_uuid(), $1, 'pregunta', $2)",
    quote.id,
    reply,
  );
  await insert(
    'insert into public.quote_notes (quote_id, body, author) values ($1, $2, gen_random_uuid())',
    quote.id,
    note,
  );
  await insert(
    'insert into public.quote_notes (quote_id, body, author) values ($1, $2, gen_random_uuid())',
    quote.id,
    LONG,
  );
  await pglite.exec('analyze');
  await pglite.close();
  expect(new Set(foundIn(dataDir).map((each) => each.at(-1)))).toEqual(new Set(['0', '1', '2', '3', '4', '5']));
  return dataDir;
}

test('what is said to be erased stands in no file, nor in a backup made after', { timeout: 180_000 }, async () => {
  const dataDir = await talkedAbout();
  const folder = temporaryDirectory();
  const [before, after] = [path.join(folder, 'before.tar.gz'), path.join(folder, 'after.tar.gz')];
  const { server } = await startServer(dataDir);
  const backUp = (file: string) => runScript('backup', { DATA_DIR: dataDir }, ['backup', file]);
  expect(await backUp(before)).toMatchObject({ code: 0 });
  expect(await runQuotes({ DATA_DIR: dataDir }, 'block', FOLIO)).toMatchObject({ code: 0 });
  const purged = await runQuotes({ DATA_DIR: dataDir }, 'purge', FOLIO);
  expect(purged).toMatchObject({ code: 0, output: expect.stringContaining('is erased') });
  expect(foundIn(dataDir)).toEqual([]);
  expect(await backUp(after)).toMatchObject({ code: 0 });
  expect(found(gunzipSync(readFileSync(after)))).toEqual([]);
  expect(found(gunzipSync(readFileSync(before)))).not.toEqual([]);
  expect(readFileSync(path.join(dataDir, 'erased'), 'utf8')).toBe(`${quote.id}\n`);
  expect(await runQuotes({ DATA_DIR: dataDir }, 'export', FOLIO)).toMatchObject({ code: 1 });
  await server.end('SIGTERM');
  expect(foundIn(dataDir)).toEqual([]);
});
