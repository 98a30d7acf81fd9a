import { createReadStream, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Bilingual } from '../../src/content/bilingual.ts';
import { openBackend } from '../backend.ts';
import { packed } from '../database/archive.ts';
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
import { moveWhole } from '../database/durable-files.ts';
import { eraseAgain, readErased } from '../database/erasure-ledger.ts';
import { migrationsFolder } from '../database/migrate.ts';
import {
  databaseOver,
  makeWhole,
  newerThan,
  olderThan,
  openPglite,
  packedDatabase,
  unpacked,
} from '../database/pglite.ts';
import { requireSpaceForCopy } from '../database/disk-space.ts';
import { contentsOf, copyDatabase, takenAway, tryUpgrade, type Trial } from '../database/upgrade.ts';
import { forgetRelease, nameOfRelease, releaseNotedIn } from '../release.ts';
import { readSettings, type Settings } from '../settings.ts';
import { backupOfRunningServer, throughDirectoryOrServer } from './running-server.ts';
import { localize } from '../language.ts';
import { FLAG, parseOptions, runCommand, UsageError } from './command.ts';

const HELP = localize({
  es: `aeropuente upgrade check   dice qué haría esta versión con los datos de DATA_DIR y cuánto tarda: probado en una copia
aeropuente upgrade         lo hace, con el servidor detenido: respaldo, migraciones, comprobación
aeropuente upgrade back    deja los datos como antes de la última actualización, para la versión anterior

El servidor hace lo mismo solo, al arrancar, sin decirlo antes. De un proyecto alojado: "npm run hosted -- setup".
`,
  en: `aeropuente upgrade check   says what this release would do to the data of DATA_DIR, and how long: tried on a copy
aeropuente upgrade         does it, while no server runs: backup, migrations, check
aeropuente upgrade back    brings the data back as they were before the last upgrade, for the release of before

What "npm start" does by itself is the same without a word beforehand. On a hosted project: "npm run hosted -- setup".
`,
});

async function run(): Promise<void> {
  const { values, positionals } = parseOptions({ allowPositionals: true, options: { help: FLAG } });
  const [action = 'upgrade', ...more] = positionals;
  if (values.help) return void process.stdout.write(HELP);
  if (more.length > 0 || !['check', 'upgrade', 'back'].includes(action)) throw new UsageError(HELP);
  const settings = readSettings(process.env);
  if (settings.hosted)
    throw new Error('Quotes go to hosted Supabase: "npm run hosted -- setup" brings it up to this release.');
  if (settings.database)
    throw new Error(
      'Quotes are in a PostgreSQL of your own: make a dump ("aeropuente backup" says how) and start this release, which brings it up to date.',
    );
  if (action === 'back') endGoingBack(settings);
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
  for (const line of whatItDoes(settings, trial)) console.log(line);
}

function* whatItDoes(settings: Settings, trial: Trial): Generator<string> {
  const { before, after, steps, backupMs } = trial;
  const noted =
    releaseNotedIn(settings.dataDir) ?? localize({ es: 'una versión sin nombre', en: 'a release that left no name' });
  yield localize({
    es: `De: ${noted}, cuya migración más nueva es ${before.migrations.at(-1) ?? '-'}.`,
    en: `From: ${noted}, whose newest migration is ${before.migrations.at(-1) ?? 'none'}.`,
  });
  yield localize({
    es: `A: ${nameOfRelease()}, cuya migración más nueva es ${after.migrations.at(-1)}.`,
    en: `To: ${nameOfRelease()}, whose newest migration is ${after.migrations.at(-1)}.`,
  });
  yield localize({
    es: `${settings.dataDir} tiene ${quotesOf(before.quotes)}.`,
    en: `${settings.dataDir} has ${quotesOf(before.quotes)}.`,
  });
  if (steps.length === 0) {
    yield localize({
      es: 'No hay migraciones que hacer: esta versión puede arrancar de una vez.',
      en: 'No migration will run: this release can be started at once.',
    });
    return;
  }
  yield localize({
    es: `Se harán ${migrationsOf(steps.length)}, medido en una copia:`,
    en: `${migrationsOf(steps.length)} will run, as measured on a copy:`,
  });
  for (const { name, ms } of steps) yield `  ${seconds(ms)}  ${name}`;
  const all = steps.reduce((sum, { ms }) => sum + ms, backupMs);
  yield localize({
    es: `Con el respaldo anterior (${seconds(backupMs)}): ${seconds(all)}. Mientras tanto los teléfonos guardan sus solicitudes.`,
    en: `With the backup before them (${seconds(backupMs)}): ${seconds(all)}. Meanwhile phones keep their quotes.`,
  });
  yield localize({ es: `Después: ${quotesOf(after.quotes)}.`, en: `Afterwards: ${quotesOf(after.quotes)}.` });
  yield localize({ es: 'Lo que no se puede deshacer:', en: 'What cannot be taken back:' });
  for (const line of takenAway(trial)) yield `  ${line}`;
  yield localize({
    es: '  las migraciones no tienen regreso: el camino de vuelta es el respaldo, sin lo que llegue después',
    en: '  migrations go one way: the way back is the backup, without what comes after it',
  });
}

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
  // Logs of npm, from when commands were given through it, name people.
  rmSync(path.join(dataDir, '.npm'), { recursive: true, force: true });
  if (trial.steps.length === 0)
    return console.log(
      localize({
        es: 'No hay migraciones que hacer: esta versión puede arrancar de una vez.',
        en: 'No migration has to run: this release can be started at once.',
      }),
    );
  if (existsSync(upgradingOf(databaseFolderIn(dataDir))))
    console.log(
      localize({
        es: 'Aquí se interrumpió una actualización: lo que se guardó antes sigue siendo el camino de vuelta.',
        en: 'An upgrade was interrupted here: what was kept before it stays the way back.',
      }),
    );
  else {
    const file = await alone(dataDir, (databaseFolder) => keep(settings, BEFORE_UPGRADE, packed(databaseFolder)));
    console.log(
      localize({
        es: `Respaldo: ${file} lo tiene todo (${quotesOf(trial.before.quotes)}).`,
        en: `Backup: ${file} has all of it (${quotesOf(trial.before.quotes)}).`,
      }),
    );
  }
  const began = performance.now();
  await migrateAt(dataDir);
  const took = seconds(performance.now() - began);
  console.log(
    localize({
      es: `Hecho: ${migrationsOf(trial.steps.length)} en ${took}.`,
      en: `Migrated: ${migrationsOf(trial.steps.length)} in ${took}.`,
    }),
  );
  // As the server opens it: what this leaves undone, no start will do.
  const backend = await openBackend(settings);
  try {
    const { status } = await backend.answer(new Request('http://localhost/healthz'), '');
    if (status !== 200)
      throw new Error(
        localize({
          es: `La base de datos no responde (${status}). El camino de vuelta: aeropuente upgrade back`,
          en: `The database does not answer (${status}). The way back: aeropuente upgrade back`,
        }),
      );
  } finally {
    await backend.close();
  }
  const { quotes } = await contentsAt(dataDir);
  if (quotes !== trial.after.quotes)
    throw new Error(
      localize({
        es: `Hay ${quotes} cotizaciones y debía haber ${trial.after.quotes}. El camino de vuelta: aeropuente upgrade back`,
        en: `There are ${quotes} quotes where ${trial.after.quotes} were expected. The way back: aeropuente upgrade back`,
      }),
    );
  console.log(
    localize({
      es: `Comprobado: la base de datos responde, con ${quotesOf(quotes)}.`,
      en: `Checked: the database answers, with ${quotesOf(quotes)}.`,
    }),
  );
  console.log(
    localize({
      es: 'Ponga ahora en servicio esta versión (bin/aeropuente install). El camino de vuelta, antes o después: bin/aeropuente upgrade back',
      en: 'Start this release now (bin/aeropuente install). The way back, until then or later: bin/aeropuente upgrade back',
    }),
  );
}

const migrateAt = (dataDir: string): Promise<void> =>
  alone(dataDir, async (folder) => {
    const database = await openDatabase({ folder, migrations: migrationsFolder, afterwards: [] });
    await database.close();
  });

/** While no server runs: nobody else has the folder. */
async function alone<Result>(dataDir: string, work: (databaseFolder: string) => Promise<Result>): Promise<Result> {
  try {
    return await withDataDirectory(dataDir, ({ databaseFolder }) => work(databaseFolder));
  } catch (error) {
    if (error instanceof DirectoryInUse)
      throw new Error(
        localize({
          es: 'El servidor está en marcha: deténgalo antes (systemctl stop aeropuente).',
          en: 'The server is running: stop it first (systemctl stop aeropuente).',
        }),
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

async function keep(
  settings: Settings,
  kind: typeof BEFORE_UPGRADE | typeof AFTER_UPGRADE,
  archive: AsyncIterable<Uint8Array>,
): Promise<string> {
  try {
    return await addUpgradeBackup(upgradeFolderOf(settings), kind, archive);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      localize({
        es: `No se pudo hacer el respaldo (${message}); no se tocó nada.`,
        en: `No backup could be made (${message}), and so nothing was touched.`,
      }),
      { cause: error },
    );
  }
}

/** Whole as soon as it has this name; what it takes the place of is in a file by then. */
const olderIn = (dataDir: string) => olderThan(databaseFolderIn(dataDir));

/** A server that is started after one that was interrupted would begin with an empty database. */
function endGoingBack({ dataDir }: Settings): void {
  if (existsSync(olderIn(dataDir)) && !existsSync(databaseFolderIn(dataDir)))
    moveWhole(olderIn(dataDir), databaseFolderIn(dataDir));
}

/** The data as they were, for the release of before: not a migration of ours is done to them. */
async function goBack(settings: Settings): Promise<void> {
  const { dataDir, backups } = settings;
  const { folder } = upgradeFolderOf(settings);
  const file = upgradeBackups(folder, BEFORE_UPGRADE).at(-1);
  if (!file)
    throw new Error(
      localize({
        es: `En ${folder} no hay un ${BEFORE_UPGRADE}….tar.gz: aquí no se ha actualizado.`,
        en: `There is no ${BEFORE_UPGRADE}….tar.gz in ${folder}: no upgrade was made here.`,
      }),
    );
  await alone(dataDir, async (databaseFolder) => {
    const present = await openPglite(databaseFolder);
    const now = await contentsOf(present);
    const aside = await keep(settings, AFTER_UPGRADE, await packedDatabase(present, databaseFolder));
    await present.close();
    const erased = [...readErased([dataDir, ...(backups ? [backups.folder] : [])])];
    const older = olderIn(dataDir);
    let then: Awaited<ReturnType<typeof contentsOf>> | undefined;
    let again = 0;
    rmSync(older, { recursive: true, force: true });
    await makeWhole(older, async (unfinished) => {
      const pglite = await unpacked(createReadStream(file), unfinished);
      again = await eraseAgain(databaseOver(pglite), erased);
      then = await contentsOf(pglite);
      await pglite.close();
    });
    // By names alone: there is no moment at which a part of one of them stands in its place.
    const newer = newerThan(databaseFolder);
    rmSync(newer, { recursive: true, force: true });
    moveWhole(databaseFolder, newer);
    moveWhole(older, databaseFolder);
    rmSync(newer, { recursive: true });
    rmSync(upgradingOf(databaseFolder), { force: true });
    forgetRelease(dataDir);
    console.log(
      localize({
        es: `${dataDir} está como antes de la actualización: ${quotesOf(then!.quotes)}, migración más nueva ${then!.migrations.at(-1)}.`,
        en: `${dataDir} is as it was before the upgrade: ${quotesOf(then!.quotes)}, newest migration ${then!.migrations.at(-1)}.`,
      }),
    );
    console.log(
      localize({
        es: `Lo que había hasta ahora está en ${aside} (${quotesOf(now.quotes)}).`,
        en: `What it was until now is in ${aside} (${quotesOf(now.quotes)}).`,
      }),
    );
    if (again > 0)
      console.log(
        localize({
          es: `${quotesOf(again)} se habían borrado después: borradas otra vez.`,
          en: `${quotesOf(again)} had been erased since: erased again.`,
        }),
      );
    console.log(
      localize({
        es: 'Ponga ahora en servicio la versión anterior. Lo que se respondió después hay que responderlo otra vez.',
        en: 'Start the release of before now. What was answered since has to be answered again.',
      }),
    );
  });
}

await runCommand(run);
