import { existsSync, rmSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { addUpgradeBackup, BEFORE_UPGRADE, type UpgradeFolder } from './backups.ts';
import { upgradingOf } from './data-directory.ts';
import type { Question, ThreadData } from './database.ts';
import { writeWhole } from './durable-files.ts';
import { LOG_FORMATS, writeLogAs } from '../log.ts';
import { migrate } from './migrate.ts';
import { databaseOver, openPglite, packedDatabase, sync } from './pglite.ts';
import { requireSpace, requireSpaceToForget } from './disk-space.ts';
import type { Failure, Reply } from './watched-thread.ts';

const { folder, migrations, backups, afterwards } = workerData as ThreadData;
const port = parentPort!;
writeLogAs(LOG_FORMATS.find((format) => format === process.env['LOG_FORMAT']) ?? 'lines');
const reply = (message: Reply) => port.postMessage(message);

try {
  const pglite = await openPglite(folder);
  const database = databaseOver(pglite);
  const upgrading = upgradingOf(folder);
  await migrate(database, migrations, async () => {
    // Half of it is done already: it is no state to go back to, and what is one must stay.
    if (existsSync(upgrading)) return;
    if (backups) await keepAsItWas(backups, await packedDatabase(pglite, folder));
    writeWhole(upgrading, '');
  });
  if (afterwards.length > 0) await database.transaction(afterwards);
  await sync(pglite);
  rmSync(upgrading, { force: true });

  const answer = async (question: Question): Promise<unknown> => {
    switch (question.kind) {
      case 'transaction':
        if (question.access === 'write') requireSpace(folder);
        return database.transaction(question.statements, question);
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
  port.on('message', (question: Question) => {
    void answer(question)
      .then((result) => reply({ id: question.id, result }))
      .catch((error: unknown) => reply({ id: question.id, failure: failureOf(error) }));
  });
  reply({ id: 0, result: undefined });
} catch (error) {
  reply({ id: 0, failure: failureOf(error) });
}

async function keepAsItWas(into: UpgradeFolder, archive: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    const file = await addUpgradeBackup(into, BEFORE_UPGRADE, archive);
    console.log(`Before the database is brought up to date: ${file} has all of it.`);
  } catch (error) {
    throw new Error(
      `The database is of an earlier release, and was not touched: no backup could be made (${(error as Error).message}).`,
      { cause: error },
    );
  }
}

function failureOf(error: unknown): Failure {
  const { message, code, detail, hint } = error as Failure;
  return { message, code, detail, hint };
}
