import { existsSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { DirectoryInUse, databaseFolderIn, holdDataDirectory } from './data-directory.ts';
import { openDatabase } from './database.ts';
import { migrationsFolder } from './migrate.ts';
import { createPglite, makeWhole } from './pglite.ts';
import { findRunning } from './running.ts';
import { readSettings, type Settings } from './settings.ts';

const HELP = `npm run backup -- [file]     writes all quotes into one file, whether AeroPuente is running or not
npm run restore -- <file>    makes the database of DATA_DIR from such a file, where there is none yet

The file holds personal data: keep it as you keep DATA_DIR. It does not hold the key of DATA_DIR.
`;

async function run([action, file, ...more]: readonly string[]): Promise<void> {
  const settings = readSettings(process.env);
  if (file === '--help') console.log(HELP);
  else if (more.length > 0) throw new Error(HELP);
  else if (settings.hosted) throw new Error('Quotes go to hosted Supabase, which keeps backups of its own.');
  else if (action === 'restore') await restore(settings, file);
  else await backup(settings, file ?? `aeropuente-${new Date().toISOString().slice(0, 16).replaceAll(':', '')}.tar.gz`);
}

async function backup(settings: Settings, file: string): Promise<void> {
  if (existsSync(file)) throw new Error(`${file} is there already: nothing was written.`);
  if (!existsSync(databaseFolderIn(settings.dataDir)))
    throw new Error(`There are no quotes in ${settings.dataDir}: nothing was ever stored there. Is DATA_DIR right?`);
  const bytes = await ofDirectory(settings).catch((error: unknown) => {
    if (error instanceof DirectoryInUse) return ofRunning(settings);
    throw error;
  });
  // Whole or not at all, also when it is killed half-way.
  const unfinished = `${file}.part`;
  const written = await open(unfinished, 'w', 0o600);
  try {
    await written.writeFile(bytes);
    await written.sync();
  } finally {
    await written.close();
  }
  await rename(unfinished, file);
  console.log(`${file} has all quotes of ${settings.dataDir} (${Math.ceil(bytes.byteLength / 1024)} kB).`);
}

async function ofDirectory({ dataDir }: Settings): Promise<Uint8Array> {
  const directory = holdDataDirectory(dataDir);
  try {
    const database = await openDatabase({
      folder: directory.databaseFolder,
      migrations: migrationsFolder,
      afterwards: [],
    });
    try {
      return await database.backup();
    } finally {
      await database.close();
    }
  } finally {
    directory.release();
  }
}

async function ofRunning(settings: Settings): Promise<Uint8Array> {
  const { address, key } = await findRunning(settings);
  const response = await fetch(`${address}/backup`, { headers: { apikey: key } });
  if (!response.ok) throw new Error(`The running AeroPuente server gave no backup (${response.status}).`);
  return response.bytes();
}

async function restore({ dataDir }: Settings, file: string | undefined): Promise<void> {
  if (!file) throw new Error(HELP);
  const bytes = await readFile(file).catch((error: Error) => {
    throw new Error(`${file} cannot be read (${error.message}).`, { cause: error });
  });
  const directory = holdDataDirectory(dataDir);
  try {
    const { databaseFolder } = directory;
    if (existsSync(databaseFolder))
      throw new Error(`There is a database in ${dataDir}: nothing was touched. Move ${databaseFolder} away first.`);
    let count = 0;
    await makeWhole(databaseFolder, async (unfinished) => {
      try {
        count = await unpack(bytes, unfinished);
      } catch (error) {
        await rm(unfinished, { recursive: true, force: true });
        throw new Error(`${file} is no whole backup: nothing was made of it.`, { cause: error });
      }
    });
    console.log(`${dataDir} has the ${count} quotes of ${file}.`);
  } finally {
    directory.release();
  }
}

/** Opened once before it counts: what PostgreSQL cannot read is no backup. */
async function unpack(bytes: Uint8Array, folder: string): Promise<number> {
  const archive = new Blob([gunzipSync(bytes)], { type: 'application/x-tar' });
  const pglite = await createPglite(folder, archive);
  const { rows } = await pglite.query<{ count: number }>('select count(*)::int as count from public.quotes');
  await pglite.close();
  return rows[0]!.count;
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
