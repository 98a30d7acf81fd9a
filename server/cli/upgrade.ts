import { createReadStream, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { eachLanguage, type Bilingual } from '../../src/content/bilingual.ts';
import { openBackend } from '../backend.ts';
import { archiveFolder } from '../database/archive.ts';
import {
  addUpgradeBackup,
  AFTER_UPGRADE,
  BEFORE_UPGRADE,
  upgradeBackups,
  upgradeFolderOf,
} from '../database/backups.ts';
import {
  databaseFolderIn,
  DirectoryInUse,
  requireDatabase,
  upgradingOf,
  withDataDirectory,
  withTrialDirectory,
} from '../database/data-directory.ts';
import { openDatabase } from '../database/database.ts';
import { moveDurably } from '../database/durable-files.ts';
import { repeatErasures, readErased } from '../database/erasure-ledger.ts';
import { migrationsFolder } from '../database/migrate.ts';
import {
  databaseOn,
  createAtomically,
  newerThan,
  olderThan,
  openPglite,
  archiveOfDatabase,
  openArchive,
} from '../database/pglite.ts';
import { requireSpaceForCopy } from '../database/disk-space.ts';
import { contentsOf, copyDatabase, lossesOf, tryUpgrade, type Contents, type Trial } from '../database/upgrade.ts';
import { forgetRelease, nameOfRelease, releaseNotedIn } from '../release.ts';
import { readSettings, type Settings } from '../settings.ts';
import { backupOfRunningServer, throughDirectoryOrServer } from './running-server.ts';
import { OperatorError, localize } from '../language.ts';
import { FLAG, parseOptions, print, printData, runCommand, UsageError } from './command.ts';

const HELP = {
  es: `aeropuente upgrade check   prueba en una copia qué haría esta versión con los datos de DATA_DIR y cuánto tarda
aeropuente upgrade         lo hace, con el servidor detenido: respaldo, migraciones, comprobación
aeropuente upgrade back    deja los datos como antes de la última actualización, para la versión anterior

El servidor hace lo mismo al arrancar, sin preguntar. Para un proyecto alojado: "npm run hosted -- setup".`,
  en: `aeropuente upgrade check   tries on a copy what this release would do to the data of DATA_DIR, and how long it takes
aeropuente upgrade         does it, while no server runs: backup, migrations, check
aeropuente upgrade back    restores the data from before the last upgrade, for the earlier release

The server does the same when it starts, without asking. For a hosted project: "npm run hosted -- setup".`,
};

async function run(): Promise<void> {
  const { values, positionals } = parseOptions({ allowPositionals: true, options: { help: FLAG } });
  const [action = 'upgrade', ...more] = positionals;
  if (values.help) return print(HELP);
  if (more.length > 0 || !['check', 'upgrade', 'back'].includes(action)) throw new UsageError(HELP);
  const settings = readSettings(process.env);
  if (settings.hosted)
    throw new OperatorError({
      es: 'Las cotizaciones están en Supabase alojado. Para actualizarlo: npm run hosted -- setup',
      en: 'Quotes are in hosted Supabase. To upgrade it: npm run hosted -- setup',
    });
  if (settings.database)
    throw new OperatorError({
      es: 'Las cotizaciones están en un PostgreSQL propio: respáldelo ("aeropuente backup" dice cómo) y arranque esta versión, que lo actualiza.',
      en: 'Quotes are in a PostgreSQL of your own: make a dump ("aeropuente backup" says how) and start this release, which upgrades it.',
    });
  if (action === 'back') finishInterruptedReturn(settings);
  requireDatabase(settings.dataDir);
  if (action === 'check') await check(settings);
  else if (action === 'back') await goBack(settings);
  else await upgrade(settings);
}

async function check(settings: Settings): Promise<void> {
  const { dataDir } = settings;
  requireSpaceForCopy(databaseFolderIn(dataDir));
  const trial = await withTrialDirectory(dataDir, async (copy) => {
    const ofDirectory = () => withDataDirectory(dataDir, ({ databaseFolder }) => copyDatabase(databaseFolder, copy));
    await throughDirectoryOrServer(dataDir, ofDirectory, async () =>
      copyDatabase(await backupOfRunningServer(settings), copy),
    );
    return tryUpgrade(copy);
  });
  describeTrial(settings, trial);
}

function describeTrial({ dataDir }: Settings, trial: Trial): void {
  const { original, after, steps, backupMs } = trial;
  const noted = releaseNotedIn(dataDir) ?? localize({ es: 'una versión sin nombre', en: 'a release without a name' });
  print({
    es: `De: ${noted}, cuya migración más nueva es ${original.migrations.at(-1) ?? '-'}.`,
    en: `From: ${noted}, whose newest migration is ${original.migrations.at(-1) ?? 'none'}.`,
  });
  print({
    es: `A: ${nameOfRelease()}, cuya migración más nueva es ${after.migrations.at(-1)}.`,
    en: `To: ${nameOfRelease()}, whose newest migration is ${after.migrations.at(-1)}.`,
  });
  print({ es: `${dataDir} tiene ${quotesOf(original.quotes)}.`, en: `${dataDir} has ${quotesOf(original.quotes)}.` });
  if (steps.length === 0) return print(NOTHING_TO_DO);
  print({
    es: `Se harán ${migrationsOf(steps.length)}; tiempos medidos en una copia:`,
    en: `${migrationsOf(steps.length)} will run; times measured on a copy:`,
  });
  for (const { name, ms } of steps) printData(`  ${seconds(ms)}  ${name}`);
  const all = steps.reduce((sum, { ms }) => sum + ms, backupMs);
  print({
    es: `Con el respaldo previo (${seconds(backupMs)}): ${seconds(all)}. Mientras tanto los teléfonos guardan sus solicitudes.`,
    en: `With the backup before them (${seconds(backupMs)}): ${seconds(all)}. Meanwhile phones keep their quotes.`,
  });
  print({ es: `Después: ${quotesOf(after.quotes)}.`, en: `Afterwards: ${quotesOf(after.quotes)}.` });
  print({ es: 'Cambios que no se pueden deshacer:', en: 'Changes that cannot be undone:' });
  for (const loss of lossesOf(trial)) print(eachLanguage(loss, (words) => `  ${words}`));
  print({
    es: '  las migraciones no se revierten: el camino de vuelta es el respaldo, sin lo que llegue después',
    en: '  migrations cannot be reverted: the way back is the backup, without later data',
  });
}

const NOTHING_TO_DO = {
  es: 'No hay migraciones que hacer: esta versión puede arrancar de una vez.',
  en: 'No migration has to run: this release can be started at once.',
};

const counted = (count: number, one: Bilingual, many: Bilingual) =>
  `${count.toLocaleString('en')} ${localize(count === 1 ? one : many)}`;
const quotesOf = (count: number) =>
  counted(count, { es: 'cotización', en: 'quote' }, { es: 'cotizaciones', en: 'quotes' });
const migrationsOf = (count: number) =>
  counted(count, { es: 'migración', en: 'migration' }, { es: 'migraciones', en: 'migrations' });
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;

async function upgrade(settings: Settings): Promise<void> {
  const { dataDir } = settings;
  const trial = await alone(dataDir, async (databaseFolder) => {
    requireSpaceForCopy(databaseFolder);
    return withTrialDirectory(dataDir, async (copy) => {
      await copyDatabase(databaseFolder, copy);
      return tryUpgrade(copy);
    });
  });
  // npm of earlier releases logged commands here, with personal data.
  rmSync(path.join(dataDir, '.npm'), { recursive: true, force: true });
  if (trial.steps.length === 0) return print(NOTHING_TO_DO);
  if (existsSync(upgradingOf(databaseFolderIn(dataDir))))
    print({
      es: 'Aquí se interrumpió una actualización: su respaldo sigue siendo el camino de vuelta.',
      en: 'An upgrade was interrupted here. The backup made before it is kept, to go back.',
    });
  else {
    const file = await alone(dataDir, (databaseFolder) =>
      addBackup(settings, BEFORE_UPGRADE, archiveFolder(databaseFolder)),
    );
    print({
      es: `Respaldo: ${file} (${quotesOf(trial.original.quotes)}).`,
      en: `Backup: ${file} (${quotesOf(trial.original.quotes)}).`,
    });
  }
  const began = performance.now();
  await migrateAt(dataDir);
  const took = seconds(performance.now() - began);
  print({
    es: `Hecho: ${migrationsOf(trial.steps.length)} en ${took}.`,
    en: `Migrated: ${migrationsOf(trial.steps.length)} in ${took}.`,
  });
  // The command opens the database as the server does, so that the server's next start finds nothing left to do.
  const backend = await openBackend(settings);
  try {
    const { status } = await backend.answer(new Request('http://localhost/healthz'), '');
    if (status !== 200)
      throw new OperatorError({
        es: `La base de datos no responde (${status}). El camino de vuelta: aeropuente upgrade back`,
        en: `The database does not answer (${status}). The way back: aeropuente upgrade back`,
      });
  } finally {
    await backend.close();
  }
  const { quotes } = await contentsAt(dataDir);
  if (quotes !== trial.after.quotes)
    throw new OperatorError({
      es: `Hay ${quotes} cotizaciones y debería haber ${trial.after.quotes}. El camino de vuelta: aeropuente upgrade back`,
      en: `There are ${quotes} quotes instead of ${trial.after.quotes}. The way back: aeropuente upgrade back`,
    });
  print({
    es: `Comprobado: la base de datos responde, con ${quotesOf(quotes)}.`,
    en: `Checked: the database answers, with ${quotesOf(quotes)}.`,
  });
  print({
    es: 'Ponga ahora en servicio esta versión: bin/aeropuente install. El camino de vuelta, en cualquier momento: bin/aeropuente upgrade back',
    en: 'Start this release now: bin/aeropuente install. The way back, at any time: bin/aeropuente upgrade back',
  });
}

const migrateAt = (dataDir: string): Promise<void> =>
  alone(dataDir, async (folder) => {
    const database = await openDatabase({ folder, migrations: migrationsFolder, afterwards: [] });
    await database.close();
  });

/** Runs `work` on the database folder while no server uses it. */
async function alone<Result>(dataDir: string, work: (databaseFolder: string) => Promise<Result>): Promise<Result> {
  try {
    return await withDataDirectory(dataDir, ({ databaseFolder }) => work(databaseFolder));
  } catch (error) {
    if (error instanceof DirectoryInUse)
      throw new OperatorError(
        {
          es: 'El servidor está en marcha: deténgalo antes (systemctl stop aeropuente).',
          en: 'The server is running: stop it first (systemctl stop aeropuente).',
        },
        { cause: error },
      );
    throw error;
  }
}

const contentsAt = (dataDir: string) =>
  alone(dataDir, async (databaseFolder) => {
    const pglite = await openPglite(databaseFolder);
    try {
      return await contentsOf(pglite);
    } finally {
      await pglite.close();
    }
  });

async function addBackup(
  settings: Settings,
  kind: typeof BEFORE_UPGRADE | typeof AFTER_UPGRADE,
  archive: AsyncIterable<Uint8Array>,
): Promise<string> {
  try {
    return await addUpgradeBackup(upgradeFolderOf(settings), kind, archive);
  } catch (error) {
    const { message } = error as Error;
    throw new OperatorError(
      {
        es: `No se pudo hacer el respaldo (${message}); no se tocó nada.`,
        en: `No backup could be made (${message}); nothing was touched.`,
      },
      { cause: error },
    );
  }
}

/**
 * Folder of the restored database. The folder gets this name only when the restored database is complete and the
 * present database is backed up.
 */
const olderIn = (dataDir: string) => olderThan(databaseFolderIn(dataDir));

/**
 * Finishes the undoing of an upgrade after an interruption: gives the restored database its usual name. Otherwise the
 * next start would create an empty database.
 */
function finishInterruptedReturn({ dataDir }: Settings): void {
  if (existsSync(olderIn(dataDir)) && !existsSync(databaseFolderIn(dataDir)))
    moveDurably(olderIn(dataDir), databaseFolderIn(dataDir));
}

/** Restores the backup from before the upgrade, without running this release's migrations. */
async function goBack(settings: Settings): Promise<void> {
  const { dataDir } = settings;
  const { folder } = upgradeFolderOf(settings);
  const file = upgradeBackups(folder, BEFORE_UPGRADE).at(-1);
  if (!file)
    throw new OperatorError({
      es: `En ${folder} no hay un ${BEFORE_UPGRADE}….tar.gz: aquí no se ha actualizado.`,
      en: `There is no ${BEFORE_UPGRADE}….tar.gz in ${folder}: no upgrade was made here.`,
    });
  await alone(dataDir, async (databaseFolder) => {
    const present = await openPglite(databaseFolder);
    const { quotes } = await contentsOf(present);
    const aside = await addBackup(settings, AFTER_UPGRADE, await archiveOfDatabase(present, databaseFolder));
    await present.close();
    const { contents, erasedAgain } = await restoreBeside(settings, file);
    replaceDatabase(databaseFolder, olderIn(dataDir));
    forgetRelease(dataDir);
    print({
      es: `${dataDir} está como antes de la actualización: ${quotesOf(contents.quotes)}, migración más nueva ${contents.migrations.at(-1)}.`,
      en: `${dataDir} is as before the upgrade: ${quotesOf(contents.quotes)}, newest migration ${contents.migrations.at(-1)}.`,
    });
    print({
      es: `Los datos que había hasta ahora están en ${aside} (${quotesOf(quotes)}).`,
      en: `The data that were there until now are in ${aside} (${quotesOf(quotes)}).`,
    });
    if (erasedAgain > 0)
      print({
        es: `${quotesOf(erasedAgain)} se habían borrado después del respaldo: se borraron otra vez.`,
        en: `${quotesOf(erasedAgain)} had been erased after the backup: erased again.`,
      });
    print({
      es: 'Ponga ahora en servicio la versión anterior. Las respuestas posteriores al respaldo hay que darlas otra vez.',
      en: 'Start the earlier release now. Answers given after the backup have to be given again.',
    });
  });
}

/** Restores a backup in a folder beside the database, and erases quotes again that were erased after the backup. */
async function restoreBeside({ dataDir, backups }: Settings, file: string) {
  const erased = [...readErased([dataDir, ...(backups ? [backups.folder] : [])])];
  const older = olderIn(dataDir);
  let restored: { contents: Contents; erasedAgain: number } | undefined;
  rmSync(older, { recursive: true, force: true });
  await createAtomically(older, async (unfinished) => {
    const pglite = await openArchive(createReadStream(file), unfinished);
    const erasedAgain = await repeatErasures(databaseOn(pglite), erased);
    restored = { contents: await contentsOf(pglite), erasedAgain };
    await pglite.close();
  });
  return restored!;
}

/** Replaces the database by renaming folders, so that a power cut leaves no incomplete database in its place. */
function replaceDatabase(databaseFolder: string, older: string): void {
  const newer = newerThan(databaseFolder);
  rmSync(newer, { recursive: true, force: true });
  moveDurably(databaseFolder, newer);
  moveDurably(older, databaseFolder);
  rmSync(newer, { recursive: true });
  rmSync(upgradingOf(databaseFolder), { force: true });
}

await runCommand(run);
