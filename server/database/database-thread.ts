import { existsSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { addUpgradeBackup, BEFORE_UPGRADE, type UpgradeFolder } from './backups.ts';
import { upgradingOf } from './data-directory.ts';
import type { ThreadRequest, ThreadData } from './database.ts';
import { writeAtomically } from './durable-files.ts';
import { OperatorError } from '../language.ts';
import { LOG_FORMATS, setLogFormat } from '../log.ts';
import { migrate } from './migrate.ts';
import { databaseOn, openPglite, archiveOfDatabase, sync } from './pglite.ts';
import { requireSpace, requireSpaceToForget } from './disk-space.ts';
import type { Failure, Reply } from './watched-thread.ts';

const { folder, migrations, backups, afterwards } = workerData as ThreadData;
const port = parentPort!;
setLogFormat(LOG_FORMATS.find((format) => format === process.env['LOG_FORMAT']) ?? 'lines');
const reply = (message: Reply) => port.postMessage(message);

try {
  const pglite = await openPglite(folder);
  const database = databaseOn(pglite);
  const upgrading = upgradingOf(folder);
  await migrate(database, migrations, async () => {
    // After an interrupted upgrade no new backup is made: it would contain incomplete data, and replace the backup from
    // before the upgrade.
    if (existsSync(upgrading)) return;
    if (backups) await backUp(backups, await archiveOfDatabase(pglite, folder));
    writeAtomically(upgrading, '');
  });
  if (afterwards.length > 0) await database.transaction(afterwards);
  await sync(pglite);
  rmSync(upgrading, { force: true });

  const answer = async (request: ThreadRequest): Promise<unknown> => {
    switch (request.kind) {
      case 'transaction':
        if (request.access === 'write') requireSpace(folder);
        return database.transaction(request.statements, request);
      case 'sync':
        return sync(pglite);
      case 'tidy':
        await pglite.exec('vacuum');
        return pglite.exec('checkpoint');
      case 'forget':
        requireSpaceToForget(folder);
        return database.forget();
      case 'checkpoint':
        return pglite.exec('checkpoint');
      case 'close':
        return pglite.close();
    }
  };
  port.on('message', (request: ThreadRequest) => {
    void answer(request)
      .then((result) => reply({ id: request.id, result }))
      .catch((error: unknown) => reply({ id: request.id, failure: failureOf(error) }));
  });
  reply({ id: 0, result: undefined });
} catch (error) {
  reply({ id: 0, failure: failureOf(error) });
}

async function backUp(into: UpgradeFolder, archive: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    const file = await addUpgradeBackup(into, BEFORE_UPGRADE, archive);
    console.log(`Backup before the upgrade: ${file} contains the whole database.`);
  } catch (error) {
    const { message } = error as Error;
    throw new OperatorError(
      {
        es: `La base de datos es de una versión anterior y no se tocó: no se pudo hacer el respaldo (${message}).`,
        en: `The database is of an earlier release and was not touched: no backup could be made (${message}).`,
      },
      { cause: error },
    );
  }
}

function failureOf(error: unknown): Failure {
  const { message, code, detail, hint } = error as Failure;
  return { message, code, detail, hint };
}
