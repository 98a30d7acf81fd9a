import { createHash } from 'node:crypto';
import { cpSync, createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { databaseFolderIn, withTrialDirectory } from '../../server/database/data-directory.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { openPglite, openArchive } from '../../server/database/pglite.ts';
import { copyDatabase, lossesOf, tryUpgrade } from '../../server/database/upgrade.ts';
import { englishWords } from '../../src/content/bilingual.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { NEWEST, nextRelease } from './next-release.ts';
import {
  dataDirectory,
  preloaded,
  runProcess,
  runQuotes,
  runScript,
  send,
  startServer,
  temporaryDirectory,
} from './processes.ts';
import { VERSION } from './releases.ts';
import { sampleQuote } from './sample-quote.ts';
import { storedDirectory } from './stored.ts';

const upgrade = (dataDir: string, ...parameters: string[]) => runScript('upgrade', { DATA_DIR: dataDir }, parameters);
const upgradeByNext = async (dataDir: string, ...parameters: string[]) =>
  runProcess('upgrade', { DATA_DIR: dataDir }, parameters, '', await nextRelease());

/** Returns a hash of all files in the database folder. */
function fingerprint(dataDir: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(databaseFolderIn(dataDir), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) hash.update(entry.name).update(readFileSync(path.join(entry.parentPath, entry.name)));
  return hash.digest('hex');
}

const newest = readdirSync(migrationsFolder).toSorted().at(-1)!.replace('.sql', '');

test('the next release upgrades the data, and can undo the upgrade', async () => {
  const { dataDir, sent } = await storedDirectory();
  const before = fingerprint(dataDir);
  const said = await upgradeByNext(dataDir, 'check');
  expect(said).toMatchObject({ code: 0, errors: '' });
  expect(said.output).toContain(`From: ${VERSION}, whose newest migration is ${newest}.`);
  expect(said.output).toContain(`To: ${VERSION}, whose newest migration is ${NEWEST}.`);
  expect(said.output).toMatch(
    /^2 migrations will run; times measured on a copy:\n( {2}\d+\.\d\d s {2}\d{14}_\w+\n)+With/m,
  );
  expect(said.output).toContain('Changes that cannot be undone:\n');
  expect(fingerprint(dataDir)).toBe(before);
  expect(readdirSync(dataDir).toSorted()).toEqual(['database', 'jwt-secret', 'lock', 'release']);

  mkdirSync(path.join(dataDir, '.npm/_logs'), { recursive: true });
  const done = await upgradeByNext(dataDir);
  expect(existsSync(path.join(dataDir, '.npm'))).toBe(false);
  expect(done).toMatchObject({ code: 0, errors: '' });
  const [, backup] = /^Backup: (\S+) \(3 quotes\)\.$/m.exec(done.output)!;
  expect(existsSync(backup!)).toBe(true);
  expect(done.output).toContain('Checked: the database answers, with 3 quotes.');

  const { server, address } = await startServer(dataDir, {}, await nextRelease());
  const nothing = await upgradeByNext(dataDir, 'check');
  expect(nothing).toMatchObject({ code: 0, errors: '' });
  expect(nothing.output).toContain('No migration has to run: this release can be started at once.');
  const later = sampleQuote();
  expect((await send(address, { ...later, nueva: 'una' })).status).toBe(201);
  expect((await upgradeByNext(dataDir)).errors).toBe(
    'The server is running: stop it first (systemctl stop aeropuente).\n',
  );
  const [erased, ...kept] = sent.map(({ id }) => id);
  for (const action of ['block', 'purge'])
    expect((await runQuotes({ DATA_DIR: dataDir }, action, folioOf(erased!))).errors).toBe('');
  await server.end('SIGTERM');

  const back = await upgradeByNext(dataDir, 'back');
  expect(back).toMatchObject({ code: 0, errors: '' });
  expect(back.output).toContain(`newest migration ${newest}.`);
  expect(back.output).toContain('1 quote had been erased after the backup: erased again.');
  // The earlier release accepts quotes again. Quotes that the next release had stored are saved to a file.
  const present = await startServer(dataDir);
  const again = sampleQuote();
  expect((await send(present.address, again)).status).toBe(201);
  await present.server.end('SIGTERM');
  const listed = JSON.parse((await runQuotes({ DATA_DIR: dataDir }, '--json')).output) as { id: string }[];
  expect(listed.map(({ id }) => id).toSorted()).toEqual([...kept, again.id].toSorted());
  // A second return to the earlier release must not overwrite that file.
  expect(await upgradeByNext(dataDir, 'back')).toMatchObject({ code: 0, errors: '' });
  const [, aside] = /^The data that were there until now are in (\S+) \(3 quotes\)\.$/m.exec(back.output)!;
  const pglite = await openArchive(createReadStream(aside!), path.join(temporaryDirectory(), 'aside'));
  const { rows } = await pglite.query<{ id: string }>('select id from public.quotes');
  await pglite.close();
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...kept, later.id].toSorted());
});

test.each([
  [
    'of a newer release',
    '29990101000000',
    'The data are of a newer release than this one. Start that release; "aeropuente upgrade --help" in its folder says how to go back.\n',
  ],
  [
    'from before the first migration',
    '20200101000000',
    'The data are of a release before 1.0, which this one cannot read. Nothing was changed: start with an empty DATA_DIR or database.\n',
  ],
])('the server does not change data %s', async (_, version, errors) => {
  const dataDir = await dataDirectory();
  const asked = async <Row>(sql: string) => {
    const pglite = await openPglite(databaseFolderIn(dataDir));
    const { rows } = await pglite.query<Row>(sql);
    await pglite.close();
    return rows;
  };
  await asked(`insert into supabase_migrations.schema_migrations (version, name) values ('${version}', 'other')`);
  const ledger = () => asked('select version, name from supabase_migrations.schema_migrations order by version');
  const before = await ledger();
  const file = path.join(temporaryDirectory(), 'all.tar.gz');
  expect(await runScript('backup', { DATA_DIR: dataDir }, ['backup', file])).toMatchObject({ code: 0, errors: '' });
  const other = path.join(temporaryDirectory(), 'other');
  expect(await runScript('backup', { DATA_DIR: other }, ['restore', file])).toMatchObject({ code: 1, errors });
  expect(existsSync(databaseFolderIn(other))).toBe(false);
  for (const release of ['.', await nextRelease()])
    for (const action of [['check'], []]) {
      const refused = await runProcess('upgrade', { DATA_DIR: dataDir }, action, '', release);
      expect(refused).toMatchObject({ code: 1, errors });
    }
  // The server still serves pages, so phones can store quotes.
  const { address, server } = await startServer(dataDir);
  expect((await fetch(address)).status).toBe(200);
  expect((await send(address, sampleQuote())).status).toBe(503);
  expect(server.errors).toContain(errors);
  await server.end('SIGTERM');
  expect(await ledger()).toEqual(before);
});

test('the check before an upgrade names the rows and columns that would be lost', async () => {
  const dataDir = await dataDirectory();
  const folder = temporaryDirectory();
  cpSync(migrationsFolder, folder, { recursive: true });
  writeFileSync(
    path.join(folder, '29990101000000_less.sql'),
    `alter table public.quotes drop column promociones cascade; delete from private.quote_limits;`,
  );
  const copy = path.join(temporaryDirectory(), 'copy');
  await copyDatabase(databaseFolderIn(dataDir), copy);
  const trial = await tryUpgrade(copy, folder);
  expect(trial.steps.map(({ name }) => name)).toEqual(['29990101000000_less']);
  expect([...lossesOf(trial)].map(englishWords)).toEqual([
    '1 of 1 rows of private.quote_limits are removed',
    'the column public.quotes.promociones is removed',
  ]);
  expect(existsSync(copy)).toBe(false);
});

test('the server removes incomplete copies of the database when it starts', async () => {
  const { dataDir, sent } = await storedDirectory();
  const BACKUP_DIR = temporaryDirectory();
  const left = (...folders: string[]) => {
    for (const folder of folders) mkdirSync(path.join(dataDir, folder), { recursive: true });
    for (const name of ['aeropuente-2026-11-21T080000', 'before-upgrade-2026-11-21T080000', 'of-a-command'])
      writeFileSync(path.join(BACKUP_DIR, `${name}.tar.gz.part`), '');
  };
  const nothingLeft = () => {
    expect(readdirSync(dataDir).filter((name) => /^(upgrade|database.+)$/.test(name))).toEqual([]);
    expect(readdirSync(BACKUP_DIR).filter((name) => name.endsWith('.part'))).toEqual(['of-a-command.tar.gz.part']);
  };
  left('database.older', 'database.older.new', 'upgrade/database');
  const { server } = await startServer(dataDir, { BACKUP_DIR });
  await server.says(/Backup: /);
  nothingLeft();
  const folio = folioOf(sent[0]!.id);
  const quotes = (action: string) => runQuotes({ DATA_DIR: dataDir }, action, folio);
  expect(await quotes('block')).toMatchObject({ code: 0 });
  await withTrialDirectory(dataDir, async (copy) => {
    left('upgrade/database');
    expect((await quotes('purge')).errors).toMatch(
      /^Nothing was erased: An upgrade is being tried on a copy of the data/,
    );
    expect(existsSync(copy)).toBe(true);
  });
  left('upgrade/database');
  expect(await quotes('purge')).toMatchObject({ code: 0, errors: '' });
  nothingLeft();
  expect(server.errors).toMatch(/^NO BACKUP was made: AeroPuente ended during the one of 2026-11-21.*\n$/);
});

test('an upgrade does not start if the disk has no room for a copy', async () => {
  const dataDir = await dataDirectory();
  const FREE = path.join(temporaryDirectory(), 'free');
  // 50 MB are enough for the server, but not for a copy of the database.
  writeFileSync(FREE, '50');
  for (const parameters of [['check'], []]) {
    const environment = { DATA_DIR: dataDir, FREE, NODE_OPTIONS: preloaded('scarce') };
    const { code, errors } = await runProcess('upgrade', environment, parameters);
    expect(code).toBe(1);
    expect(errors).toMatch(/^The disk is nearly full: less than \d+ MB are free for the database\n$/);
  }
  expect(existsSync(path.join(dataDir, 'upgrade'))).toBe(false);
});

test('`aeropuente upgrade` says that there is nothing to upgrade or restore', async () => {
  const errors = expect.stringContaining('aeropuente upgrade back');
  expect(await upgrade(temporaryDirectory(), 'bakc')).toMatchObject({ code: 2, errors });
  const nowhere = path.join(temporaryDirectory(), 'none');
  expect((await upgrade(nowhere, 'check')).errors).toMatch(/^There are no quotes in .*: nothing was ever stored there/);
  expect((await upgrade(await dataDirectory(), 'back')).errors).toMatch(
    /^There is no before-upgrade-….*no upgrade was made here\.\n$/,
  );
});
