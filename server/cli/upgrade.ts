import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openBackend } from '../backend.ts';
import { databaseFolderIn, DirectoryInUse, holdDataDirectory } from '../database/data-directory.ts';
import { openDatabase } from '../database/database.ts';
import { moveWhole, writeWhole } from '../database/durable-files.ts';
import { eraseAgain, readErased, type Erasing } from '../database/erased.ts';
import { migrationsFolder } from '../database/migrate.ts';
import { carryOut, forget, makeWhole, openPglite } from '../database/pglite.ts';
import { requireRoomForCopy } from '../database/room.ts';
import { contentsOf, copyDatabase, takenAway, tryUpgrade, unpacked, type Trial } from '../database/upgrade.ts';
import { forgetRelease, nameOfRelease, releaseNotedIn } from '../release.ts';
import { readSettings, type Settings } from '../settings.ts';
import { findRunning } from './running.ts';
import { runCommand } from './words.ts';

const HELP = `npm run upgrade -- check   says what this release would do to the data of DATA_DIR, and how long: tried on a copy
npm run upgrade            does it, while no server runs: backup, migrations, check
npm run upgrade -- back    brings the data back as they were before the last upgrade, for the release of before

What "npm start" does by itself is the same without a word beforehand. On a hosted project: "npm run hosted -- setup".
`;

const BEFORE = 'before-upgrade-';
const AFTER = 'after-upgrade-';

class ForHumans extends Error {}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: 'boolean' } } });
  const [action = 'upgrade', ...more] = positionals;
  if (values.help) return void process.stdout.write(HELP);
  if (more.length > 0 || !['check', 'upgrade', 'back'].includes(action)) throw new ForHumans(HELP);
  const settings = readSettings(process.env);
  if (settings.hosted)
    throw new ForHumans('Quotes go to hosted Supabase: "npm run hosted -- setup" brings it up to this release.');
  if (settings.database)
    throw new ForHumans(
      'Quotes are in a PostgreSQL of your own: make a dump ("npm run backup" says how) and start this release, which brings it up to date.',
    );
  if (action === 'back') endGoingBack(settings);
  if (!existsSync(databaseFolderIn(settings.dataDir)))
    throw new ForHumans(
      `There are no quotes in ${settings.dataDir}: nothing was ever stored there. Is DATA_DIR right?`,
    );
  if (action === 'check') await check(settings);
  else if (action === 'back') await goBack(settings);
  else await upgrade(settings);
}

/** A copy for the trial lies where the data lie: as safe as they, and on a disk that has room for them. */
const placeForCopy = ({ dataDir }: Settings) => path.join(dataDir, 'upgrade');

async function check(settings: Settings): Promise<void> {
  const copy = placeForCopy(settings);
  requireRoomForCopy(databaseFolderIn(settings.dataDir));
  try {
    const directory = holdDataDirectory(settings.dataDir);
    try {
      await copyDatabase(directory.databaseFolder, copy);
    } finally {
      directory.release();
    }
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    await copyDatabase(await backupOfRunning(settings), copy);
  }
  const trial = await tryUpgrade(copy);
  for (const line of whatItDoes(settings, trial)) console.log(line);
}

async function backupOfRunning(settings: Settings): Promise<Uint8Array> {
  const { address, key } = await findRunning(settings);
  const response = await fetch(`${address}/backup`, { headers: { apikey: key } });
  if (!response.ok || !response.headers.get('content-type')?.includes('gzip'))
    throw new ForHumans('The running server is of a release that gives no backup of itself: stop it, and ask again.');
  return response.bytes();
}

function* whatItDoes(settings: Settings, trial: Trial): Generator<string> {
  const { before, after, steps, backupMs } = trial;
  const noted = releaseNotedIn(settings.dataDir) ?? 'a release that left no name';
  yield `From: ${noted}, whose newest migration is ${before.migrations.at(-1) ?? 'none'}.`;
  yield `To: ${nameOfRelease()}, whose newest migration is ${newestMigration()}.`;
  yield `${settings.dataDir} has ${counted(before.quotes, 'quote')}.`;
  if (steps.length === 0) {
    yield 'No migration will run: this release can be started at once.';
    return;
  }
  yield `${counted(steps.length, 'migration')} will run, as measured on a copy:`;
  for (const { name, ms } of steps) yield `  ${seconds(ms)}  ${name}`;
  const all = steps.reduce((sum, { ms }) => sum + ms, backupMs);
  yield `With the backup before them (${seconds(backupMs)}): ${seconds(all)}. Meanwhile phones keep their quotes.`;
  yield `Afterwards: ${counted(after.quotes, 'quote')}.`;
  yield 'What cannot be taken back:';
  for (const line of takenAway(trial)) yield `  ${line}`;
  yield '  migrations go one way: the way back is the backup, without what comes after it';
}

const newestMigration = () =>
  readdirSync(migrationsFolder)
    .filter((file) => file.endsWith('.sql'))
    .map((file) => file.slice(0, -'.sql'.length))
    .toSorted()
    .at(-1)!;

const counted = (count: number, word: string) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

async function upgrade(settings: Settings): Promise<void> {
  const { dataDir } = settings;
  const directory = hold(dataDir);
  let trial: Trial;
  try {
    const copy = placeForCopy(settings);
    requireRoomForCopy(directory.databaseFolder);
    await copyDatabase(directory.databaseFolder, copy);
    trial = await tryUpgrade(copy);
  } finally {
    directory.release();
  }
  if (trial.steps.length === 0) return console.log('No migration has to run: this release can be started at once.');
  const file = keep(settings, BEFORE, trial.backup);
  console.log(`Backup: ${file} has all of it (${counted(trial.before.quotes, 'quote')}).`);
  const began = performance.now();
  await migrateAt(dataDir);
  console.log(`Migrated: ${counted(trial.steps.length, 'migration')} in ${seconds(performance.now() - began)}.`);
  // As the server opens it: what this leaves undone, no start will do.
  const backend = await openBackend(settings);
  try {
    const { status } = await backend.answer(new Request('http://localhost/healthz'), '');
    if (status !== 200)
      throw new ForHumans(`The database does not answer (${status}). The way back: npm run upgrade -- back`);
  } finally {
    await backend.close();
  }
  const { quotes } = await contentsAt(dataDir);
  if (quotes !== trial.after.quotes)
    throw new ForHumans(
      `There are ${quotes} quotes where ${trial.after.quotes} were expected. The way back: npm run upgrade -- back`,
    );
  console.log(`Checked: the database answers, with ${counted(quotes, 'quote')}.`);
  console.log('Start the server now. The way back, until then or later: npm run upgrade -- back');
}

async function migrateAt(dataDir: string): Promise<void> {
  const directory = hold(dataDir);
  try {
    await (
      await openDatabase({ folder: directory.databaseFolder, migrations: migrationsFolder, afterwards: [] })
    ).close();
  } finally {
    directory.release();
  }
}

function hold(dataDir: string): ReturnType<typeof holdDataDirectory> {
  try {
    return holdDataDirectory(dataDir);
  } catch (error) {
    if (error instanceof DirectoryInUse)
      throw new ForHumans('The server is running: stop it first (systemctl stop aeropuente).');
    throw error;
  }
}

async function contentsAt(dataDir: string) {
  const directory = hold(dataDir);
  try {
    const pglite = await openPglite(directory.databaseFolder);
    try {
      return await contentsOf(pglite);
    } finally {
      await pglite.close();
    }
  } finally {
    directory.release();
  }
}

const folderOf = ({ dataDir, backups }: Settings) => backups?.folder ?? path.join(dataDir, 'backups');

/** The last of its kind stays until the next upgrade: the rules of the daily backups would let it go the same day. */
function keep(settings: Settings, kind: string, bytes: Uint8Array): string {
  const folder = folderOf(settings);
  // One that the operator named must be there: it may be a disk that is not mounted.
  if (!settings.backups) mkdirSync(folder, { recursive: true, mode: 0o700 });
  else if (!existsSync(folder))
    throw new ForHumans(`The folder ${folder} is not there: no backup, and so nothing was touched.`);
  const file = path.join(folder, `${kind}${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.tar.gz`);
  writeWhole(file, bytes);
  for (const other of ofKind(settings, kind)) if (other !== file) rmSync(other);
  return file;
}

function ofKind(settings: Settings, kind: string): string[] {
  const folder = folderOf(settings);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.startsWith(kind) && file.endsWith('.tar.gz'));
  return files.toSorted().map((file) => path.join(folder, file));
}

/** Whole as soon as it has this name; what it takes the place of is in a file by then. */
const olderIn = (dataDir: string) => `${databaseFolderIn(dataDir)}.older`;

/** A server that is started after one that was interrupted would begin with an empty database. */
function endGoingBack({ dataDir }: Settings): void {
  if (existsSync(olderIn(dataDir)) && !existsSync(databaseFolderIn(dataDir)))
    moveWhole(olderIn(dataDir), databaseFolderIn(dataDir));
}

/** The data as they were, for the release of before: not a migration of ours is done to them. */
async function goBack(settings: Settings): Promise<void> {
  const { dataDir, backups } = settings;
  const file = ofKind(settings, BEFORE).at(-1);
  if (!file) throw new ForHumans(`There is no ${BEFORE}….tar.gz in ${folderOf(settings)}: no upgrade was made here.`);
  const directory = hold(dataDir);
  try {
    const present = await openPglite(directory.databaseFolder);
    const now = await contentsOf(present);
    const aside = keep(settings, AFTER, new Uint8Array(await (await present.dumpDataDir('gzip')).arrayBuffer()));
    await present.close();
    const erased = [...readErased([dataDir, ...(backups ? [backups.folder] : [])])];
    const older = olderIn(dataDir);
    let then: Awaited<ReturnType<typeof contentsOf>> | undefined;
    let again = 0;
    rmSync(older, { recursive: true, force: true });
    await makeWhole(older, async (unfinished) => {
      const pglite = await unpacked(readFileSync(file), unfinished);
      const database: Erasing = {
        transaction: async <Row extends object>(
          ...[statements, { access = 'write' } = {}]: Parameters<Erasing['transaction']>
        ) => (await carryOut(pglite, statements, access)) as Row[],
        forget: () => forget(pglite),
      };
      again = await eraseAgain(database, erased);
      then = await contentsOf(pglite);
      await pglite.close();
    });
    rmSync(directory.databaseFolder, { recursive: true });
    moveWhole(older, directory.databaseFolder);
    forgetRelease(dataDir);
    console.log(
      `${dataDir} is as it was before the upgrade: ${counted(then!.quotes, 'quote')}, newest migration ${then!.migrations.at(-1)}.`,
    );
    console.log(`What it was until now is in ${aside} (${counted(now.quotes, 'quote')}).`);
    if (again > 0) console.log(`${counted(again, 'quote')} had been erased since: erased again.`);
    console.log('Start the release of before now. What was answered since has to be answered again.');
  } finally {
    directory.release();
  }
}

await runCommand(run);
