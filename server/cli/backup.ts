import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { requireDatabase, withDataDirectory, withTrialDirectory } from '../database/data-directory.ts';
import { stamp } from '../database/backups.ts';
import { writePiecesWhole } from '../database/durable-files.ts';
import { readErased, writeErased } from '../database/erasure-ledger.ts';
import { makeWhole, openPglite, packedDatabase } from '../database/pglite.ts';
import { requireSpace } from '../database/disk-space.ts';
import { openBackup, tryBackup, unpackInto, type Found } from './backup-file.ts';
import { backupOfRunningServer, throughDirectoryOrServer } from './running-server.ts';
import { asOperator, fileAt } from './operator.ts';
import { readSettings, type Settings } from '../settings.ts';
import { sqlOf } from '../database/sql-dump.ts';
import { localize } from '../language.ts';
import { FLAG, parseOptions, runCommand, UsageError } from './command.ts';

const HELP = localize({
  es: `aeropuente backup [archivo]              todas las cotizaciones en un archivo, esté AeroPuente en marcha o no
aeropuente backup --sql [archivo]        lo mismo como SQL, que lee un PostgreSQL más nuevo u otro servidor nuestro
aeropuente backup --sql --data [archivo] sólo las filas, para una base que ya tiene nuestras migraciones
aeropuente restore <archivo>             hace la base de DATA_DIR de un archivo de la primera clase, si no hay ninguna
aeropuente restore --check <archivo>     prueba si se podría, en otra parte, y no cambia nada

El archivo contiene datos personales: guárdelo como guarda DATA_DIR. No contiene la llave de DATA_DIR.
Sin nombre va a BACKUP_DIR, donde también se hacen solos mientras AeroPuente está en marcha.
`,
  en: `aeropuente backup [file]              writes all quotes into one file, whether AeroPuente is running or not
aeropuente backup --sql [file]        the same as SQL, which a newer PostgreSQL or another server of ours reads
aeropuente backup --sql --data [file] its rows alone, for a database that has our migrations, such as a hosted project
aeropuente restore <file>             makes the database of DATA_DIR from a file of the first kind, where there is none
aeropuente restore --check <file>     tries whether it could, elsewhere, and changes nothing

The file holds personal data: keep it as you keep DATA_DIR. It does not hold the key of DATA_DIR.
Without a name it goes to BACKUP_DIR, where backups also make themselves while AeroPuente runs.
`,
});

const BACKUP_OWN = `Quotes are in a PostgreSQL of your own, whose own tool keeps them, while AeroPuente runs or not. Its version must not
be older than the server's. With DATABASE_URL in the environment:

  umask 077
  pg_dump --format=custom --no-owner --file="aeropuente-$(date -u +%Y-%m-%dT%H%M%S).dump" "$DATABASE_URL"

Into the folder of BACKUP_DIR: then GET /metrics says how old the newest is. It holds personal data, and the key that sessions are signed with.
While it runs, whoever may list the processes of this machine reads DATABASE_URL: where others work on it, leave the
password out there and set PGPASSWORD.
`;
const RESTORE_OWN = `Quotes are in a PostgreSQL of your own, whose own tool brings them back. Stop every AeroPuente process first, make an
empty database, let DATABASE_URL lead there, and:

  psql "$DATABASE_URL" --set=ON_ERROR_STOP=1 --file=server/database/roles.sql     (a new server only)
  pg_restore --no-owner --exit-on-error --single-transaction --dbname="$DATABASE_URL" aeropuente-….dump

Then start AeroPuente. What was erased since, as the list "erased" in DATA_DIR and BACKUP_DIR has it, is erased again.
`;

async function run([action, ...words]: readonly string[]): Promise<void> {
  const options = { sql: FLAG, data: FLAG, check: FLAG, help: FLAG };
  const { values, positionals } = parseOptions({ args: [...words], allowPositionals: true, options });
  const [file, ...more] = positionals;
  if (values.help) return void process.stdout.write(HELP);
  const settings = readSettings(process.env);
  const isRestore = action === 'restore';
  const isWrong = isRestore ? values.sql || values.data : values.check || (values.data && !values.sql);
  if (isWrong || more.length > 0) throw new UsageError(HELP);
  else if (settings.hosted) throw new Error('Quotes go to hosted Supabase, which keeps backups of its own.');
  else if (settings.database) throw new Error(isRestore ? RESTORE_OWN : BACKUP_OWN);
  else if (isRestore && !file) throw new UsageError(HELP);
  else if (isRestore && values.check) await check(file!);
  else if (isRestore) await restore(settings, file!);
  else await backup(settings, file ? fileAt(file) : placeNow(settings, values.sql ? 'sql' : 'tar.gz'), values);
}

/** Without the seconds: with them it would be one of those in BACKUP_DIR that make way for newer ones. */
const placeNow = ({ backups }: Settings, kind: string) =>
  path.join(backups?.folder ?? fileAt('.'), `aeropuente-${stamp(new Date()).slice(0, -2)}.${kind}`);

async function backup(settings: Settings, file: string, { sql, data }: { sql: boolean; data: boolean }): Promise<void> {
  if (existsSync(file))
    throw new Error(
      localize({
        es: `${file} ya existe: no se escribió nada.`,
        en: `${file} is there already: nothing was written.`,
      }),
    );
  const { dataDir } = settings;
  requireDatabase(dataDir);
  const keep = async (archive: Readable) => {
    if (!sql) return writePiecesWhole(file, archive);
    await withTrialDirectory(dataDir, async (copy) =>
      writePiecesWhole(file, Readable.from(sqlOf(archive, data ? 'data' : 'all', copy))),
    );
  };
  await throughDirectoryOrServer(
    dataDir,
    () => ofDirectory(dataDir, keep),
    async () => keep(await backupOfRunningServer(settings)),
  );
  const size = Math.ceil(statSync(file).size / 1024);
  console.log(
    localize({
      es: `${file} tiene todas las cotizaciones de ${dataDir} (${size} kB).`,
      en: `${file} has all quotes of ${dataDir} (${size} kB).`,
    }),
  );
}

/** As the data are: to bring them up to date is for an upgrade, which keeps a way back. */
const ofDirectory = (dataDir: string, keep: (archive: Readable) => Promise<void>): Promise<void> =>
  withDataDirectory(dataDir, async ({ databaseFolder }) => {
    requireSpace(dataDir);
    const pglite = await openPglite(databaseFolder);
    try {
      await keep(await packedDatabase(pglite, databaseFolder));
    } finally {
      await pglite.close();
    }
  });

async function restore({ dataDir, backups }: Settings, file: string): Promise<void> {
  const opened = openBackup(file);
  await withDataDirectory(dataDir, async ({ databaseFolder }) => {
    if (existsSync(databaseFolder))
      throw new Error(
        localize({
          es: `En ${dataDir} hay una base de datos: no se tocó nada. Aparte antes ${databaseFolder}.`,
          en: `There is a database in ${dataDir}: nothing was touched. Move ${databaseFolder} away first.`,
        }),
      );
    const ledgers = [dataDir, path.dirname(fileAt(file)), ...(backups ? [backups.folder] : [])];
    const erased = asOperator(() => readErased(ledgers));
    let found: Found | undefined;
    await makeWhole(databaseFolder, async (unfinished) => {
      found = await unpackInto(unfinished, opened, [...erased]);
    });
    writeErased([dataDir], erased);
    console.log(
      localize({
        es: `${dataDir} tiene las ${found!.quotes} cotizaciones de ${file}.`,
        en: `${dataDir} has the ${found!.quotes} quotes of ${file}.`,
      }),
    );
    for (const line of whatItCannotKnow(found!)) console.log(line);
  });
}

async function check(file: string): Promise<void> {
  const { quotes, newest, accounts } = await tryBackup(file);
  const until = newest?.toISOString() ?? '-';
  console.log(
    localize({
      es: `${file} está entero: ${quotes} cotizaciones, lo más nuevo de ${until}, ${accounts} cuentas. Se probó aparte; no cambió nada.`,
      en: `${file} is whole: ${quotes} quotes, the newest word of ${until}, ${accounts} accounts. It was tried, and nothing was changed.`,
    }),
  );
}

function* whatItCannotKnow({ accounts, newest, erasedAgain }: Found): Generator<string> {
  if (newest)
    yield localize({
      es: `Lo más nuevo que tiene es de ${newest.toISOString()}. Lo que llegó después no está.`,
      en: `Its newest word is of ${newest.toISOString()}. What came later is not in it.`,
    });
  if (erasedAgain > 0)
    yield localize({
      es: `${erasedAgain} de sus cotizaciones se habían borrado después: se borraron otra vez.`,
      en: `${erasedAgain} of its quotes had been erased since: they are erased again.`,
    });
  yield localize({
    es: 'No puede saber a quién se bloqueó después, ni qué se borró si la lista ("erased") no está en ninguna de estas carpetas.',
    en: 'It cannot know of whom you blocked since, nor of erasures whose list ("erased") lies in none of these folders.',
  });
  if (accounts > 0)
    yield localize({
      es: `Tiene ${accounts} cuentas, con las contraseñas de aquel día: quite otra vez a quien se haya ido (aeropuente staff list).`,
      en: `It has ${accounts} accounts, with the passwords of its day: remove again who was removed since (aeropuente staff list).`,
    });
}

await runCommand(() => run(process.argv.slice(2)));
