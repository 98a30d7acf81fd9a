import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { requireDatabase, withDataDirectory, withTrialDirectory } from '../database/data-directory.ts';
import { stamp } from '../database/backups.ts';
import { streamAtomically } from '../database/durable-files.ts';
import { readErased, writeErased } from '../database/erasure-ledger.ts';
import { createAtomically, openPglite, archiveOfDatabase } from '../database/pglite.ts';
import { requireSpace } from '../database/disk-space.ts';
import { openBackup, tryBackup, unpackInto, type BackupContents } from './backup-file.ts';
import { backupOfRunningServer, throughDirectoryOrServer } from './running-server.ts';
import { asOperator, fileAt } from './operator.ts';
import { readSettings, type Settings } from '../settings.ts';
import { sqlOf } from '../database/sql-dump.ts';
import { OperatorError } from '../language.ts';
import { FLAG, parseOptions, print, runCommand, UsageError } from './command.ts';

const HELP = {
  es: `aeropuente backup [archivo]              guarda todas las cotizaciones en un archivo, esté AeroPuente en marcha o no
aeropuente backup --sql [archivo]        lo mismo como SQL, para un PostgreSQL más nuevo u otro servidor de AeroPuente
aeropuente backup --sql --data [archivo] sólo los registros, para una base que ya tiene nuestras migraciones
aeropuente restore <archivo>             recupera en DATA_DIR un archivo de la primera clase, si no hay base ahí
aeropuente restore --check <archivo>     prueba si se puede recuperar, sin cambiar nada

El archivo contiene datos personales: guárdelo como guarda DATA_DIR. No contiene la llave de DATA_DIR.
Sin nombre va a BACKUP_DIR, donde el servidor en marcha también hace respaldos por su cuenta.`,
  en: `aeropuente backup [file]              writes all quotes into one file, whether AeroPuente is running or not
aeropuente backup --sql [file]        the same as SQL, for a newer PostgreSQL or another AeroPuente server
aeropuente backup --sql --data [file] only the rows, for a database that has our migrations, such as a hosted project
aeropuente restore <file>             restores a file of the first kind into DATA_DIR, if it has no database
aeropuente restore --check <file>     tries whether the file can be restored, without changing anything

The file contains personal data: keep it as you keep DATA_DIR. It does not contain the key of DATA_DIR.
Without a name it goes to BACKUP_DIR, where the running server makes backups of its own.`,
};

const BACKUP_OWN = {
  es: `Las cotizaciones están en un PostgreSQL propio, cuya herramienta las respalda, esté AeroPuente en marcha o no. Su versión
no debe ser anterior a la del servidor. Con DATABASE_URL en el ambiente:

  umask 077
  pg_dump --format=custom --no-owner --file="aeropuente-$(date -u +%Y-%m-%dT%H%M%S).dump" "$DATABASE_URL"

Guárdelo en la carpeta de BACKUP_DIR: así GET /metrics muestra la edad del más nuevo. Contiene datos personales y la llave
que firma las sesiones. Mientras corre, quien pueda ver los procesos de esta máquina lee DATABASE_URL: si otros la usan,
quite de ahí la contraseña y póngala en PGPASSWORD.`,
  en: `Quotes are in a PostgreSQL of your own, whose tool backs them up, whether AeroPuente is running or not. Its version must
not be older than the server's. With DATABASE_URL in the environment:

  umask 077
  pg_dump --format=custom --no-owner --file="aeropuente-$(date -u +%Y-%m-%dT%H%M%S).dump" "$DATABASE_URL"

Put it into the folder of BACKUP_DIR: GET /metrics then shows the age of the newest. It contains personal data and the key
that signs sessions. While it runs, whoever can list the processes of this machine reads DATABASE_URL: if others use the
machine, take the password out of it and set PGPASSWORD.`,
};
const RESTORE_OWN = {
  es: `Las cotizaciones están en un PostgreSQL propio, cuya herramienta las recupera. Detenga antes todos los procesos de
AeroPuente, cree una base de datos vacía, haga que DATABASE_URL apunte a ella, y:

  psql "$DATABASE_URL" --set=ON_ERROR_STOP=1 --file=server/database/roles.sql     (sólo en un servidor nuevo)
  pg_restore --no-owner --exit-on-error --single-transaction --dbname="$DATABASE_URL" aeropuente-….dump

Después arranque AeroPuente, que borra otra vez lo que está en la lista "erased" de DATA_DIR y BACKUP_DIR.`,
  en: `Quotes are in a PostgreSQL of your own, whose tool restores them. Stop every AeroPuente process first, create an empty
database, let DATABASE_URL point to it, and:

  psql "$DATABASE_URL" --set=ON_ERROR_STOP=1 --file=server/database/roles.sql     (a new server only)
  pg_restore --no-owner --exit-on-error --single-transaction --dbname="$DATABASE_URL" aeropuente-….dump

Then start AeroPuente, which erases again what the list "erased" in DATA_DIR and BACKUP_DIR names.`,
};

async function run([action, ...words]: readonly string[]): Promise<void> {
  const options = { sql: FLAG, data: FLAG, check: FLAG, help: FLAG };
  const { values, positionals } = parseOptions({ args: [...words], allowPositionals: true, options });
  const [file, ...more] = positionals;
  if (values.help) return print(HELP);
  const settings = readSettings(process.env);
  const isRestore = action === 'restore';
  const isWrong = isRestore ? values.sql || values.data : values.check || (values.data && !values.sql);
  if (isWrong || more.length > 0) throw new UsageError(HELP);
  else if (settings.hosted)
    throw new OperatorError({
      es: 'Las cotizaciones están en Supabase alojado, que hace sus propios respaldos.',
      en: 'Quotes are in hosted Supabase, which makes backups of its own.',
    });
  else if (settings.database) throw new OperatorError(isRestore ? RESTORE_OWN : BACKUP_OWN);
  else if (isRestore && !file) throw new UsageError(HELP);
  else if (isRestore && values.check) await check(file!);
  else if (isRestore) await restore(settings, file!);
  else await backup(settings, file ? fileAt(file) : placeNow(settings, values.sql ? 'sql' : 'tar.gz'), values);
}

/**
 * Default path of a backup. The server deletes its own old backups, whose names have seconds. This name has no seconds,
 * so the server does not delete the file.
 */
const placeNow = ({ backups }: Settings, kind: string) =>
  path.join(backups?.folder ?? fileAt('.'), `aeropuente-${stamp(new Date()).slice(0, -2)}.${kind}`);

async function backup(settings: Settings, file: string, { sql, data }: { sql: boolean; data: boolean }): Promise<void> {
  if (existsSync(file))
    throw new OperatorError({
      es: `${file} ya existe: no se escribió nada.`,
      en: `${file} exists already: nothing was written.`,
    });
  const { dataDir } = settings;
  requireDatabase(dataDir);
  const write = async (archive: Readable) => {
    if (!sql) return streamAtomically(file, archive);
    await withTrialDirectory(dataDir, async (copy) =>
      streamAtomically(file, Readable.from(sqlOf(archive, data ? 'data' : 'all', copy))),
    );
  };
  await throughDirectoryOrServer(
    dataDir,
    () => backUpDirectory(dataDir, write),
    async () => write(await backupOfRunningServer(settings)),
  );
  const size = Math.ceil(statSync(file).size / 1024);
  print({
    es: `${file} contiene todas las cotizaciones de ${dataDir} (${size} kB).`,
    en: `${file} contains all quotes of ${dataDir} (${size} kB).`,
  });
}

/**
 * Backs up the data without running migrations. Only an upgrade runs migrations, because it first makes a backup with
 * which the upgrade can be undone.
 */
const backUpDirectory = (dataDir: string, write: (archive: Readable) => Promise<void>): Promise<void> =>
  withDataDirectory(dataDir, async ({ databaseFolder }) => {
    requireSpace(dataDir);
    const pglite = await openPglite(databaseFolder);
    try {
      await write(await archiveOfDatabase(pglite, databaseFolder));
    } finally {
      await pglite.close();
    }
  });

async function restore({ dataDir, backups }: Settings, file: string): Promise<void> {
  const opened = openBackup(file);
  await withDataDirectory(dataDir, async ({ databaseFolder }) => {
    if (existsSync(databaseFolder))
      throw new OperatorError({
        es: `En ${dataDir} ya hay una base de datos: no se tocó nada. Mueva antes ${databaseFolder} a otro lugar.`,
        en: `There is a database in ${dataDir}: nothing was touched. Move ${databaseFolder} away first.`,
      });
    const ledgers = [dataDir, path.dirname(fileAt(file)), ...(backups ? [backups.folder] : [])];
    const erased = asOperator(() => readErased(ledgers));
    let found: BackupContents | undefined;
    await createAtomically(databaseFolder, async (unfinished) => {
      found = await unpackInto(unfinished, opened, [...erased]);
    });
    writeErased([dataDir], erased);
    print({
      es: `${dataDir} tiene las ${found!.quotes} cotizaciones de ${file}.`,
      en: `${dataDir} has the ${found!.quotes} quotes of ${file}.`,
    });
    printLimits(found!);
  });
}

async function check(file: string): Promise<void> {
  const { quotes, newest, accounts } = await tryBackup(file);
  const until = newest?.toISOString() ?? '-';
  print({
    es: `${file} se puede recuperar: ${quotes} cotizaciones, lo más nuevo de ${until}, ${accounts} cuentas. Se probó aparte; no cambió nada.`,
    en: `${file} can be restored: ${quotes} quotes, the newest entry of ${until}, ${accounts} accounts. It was tried elsewhere; nothing was changed.`,
  });
}

/**
 * Prints the time of the newest data in the backup, because later changes are lost. Also prints how many of its quotes
 * were erased again: they had been erased after the backup was made.
 */
function printLimits({ accounts, newest, erasedAgain }: BackupContents): void {
  if (newest)
    print({
      es: `Lo más nuevo que contiene es de ${newest.toISOString()}. Lo posterior se perdió.`,
      en: `The newest entry in the backup is of ${newest.toISOString()}. All later data are lost.`,
    });
  if (erasedAgain > 0)
    print({
      es: `${erasedAgain} de sus cotizaciones se habían borrado después: se borraron otra vez.`,
      en: `${erasedAgain} of its quotes had been erased after the backup: they are erased again.`,
    });
  print({
    es: 'Repita a mano los bloqueos posteriores, y los borrados si su lista ("erased") no está en ninguna de estas carpetas.',
    en: 'Block again by hand the quotes that were blocked after the backup. Also erase again those erased after it, if the list "erased" is in none of these folders.',
  });
  if (accounts > 0)
    print({
      es: `Tiene ${accounts} cuentas, con las contraseñas de aquel día: quite otra vez a quien se haya ido (aeropuente staff list).`,
      en: `It has ${accounts} accounts, with the passwords of that day: remove again who has left (aeropuente staff list).`,
    });
}

await runCommand(() => run(process.argv.slice(2)));
