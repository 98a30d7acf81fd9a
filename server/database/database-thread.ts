import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { addBackup } from './backups.ts';
import type { Database, Question, ThreadData } from './database.ts';
import { LOG_FORMATS, writeLogAs } from '../log.ts';
import { migrate } from './migrate.ts';
import { carryOut, forget, openPglite, sync } from './pglite.ts';
import { requireRoom } from './room.ts';
import type { Failure, Reply } from './watched-thread.ts';

const { folder, migrations, backups, afterwards } = workerData as ThreadData;
const port = parentPort!;
writeLogAs(LOG_FORMATS.find((format) => format === process.env['LOG_FORMAT']) ?? 'lines');
const reply = (message: Reply) => port.postMessage(message);

try {
  const pglite = await openPglite(folder);
  const database: Pick<Database, 'transaction'> = {
    transaction: async <Row extends object>(
      ...[statements, { access = 'write' } = {}]: Parameters<Database['transaction']>
    ) => {
      return (await carryOut(pglite, statements, access)) as Row[];
    },
  };
  const wholeOf = async () => new Uint8Array(await (await pglite.dumpDataDir('gzip')).arrayBuffer());
  await migrate(database, migrations, async () => {
    if (!backups) return;
    // One that the operator named must be there: it may be a disk that is not mounted.
    if (path.dirname(backups) === path.dirname(folder)) mkdirSync(backups, { recursive: true, mode: 0o700 });
    try {
      console.log(
        `Before the database is brought up to date: ${addBackup(backups, await wholeOf(), new Date())} has all of it.`,
      );
    } catch (error) {
      throw new Error(
        `The database is of an earlier release, and was not touched: no backup could be made (${(error as Error).message}).`,
        { cause: error },
      );
    }
  });
  if (afterwards.length > 0) await database.transaction(afterwards);
  await sync(pglite);

  const answer = async (question: Question): Promise<unknown> => {
    switch (question.kind) {
      case 'transaction':
        if (question.access === 'write') requireRoom(folder);
        return database.transaction(question.statements, question);
      case 'sync':
        return sync(pglite);
      case 'tidy':
        await pglite.exec('vacuum');
        return pglite.exec('checkpoint');
      case 'forget':
        return forget(pglite);
      case 'backup':
        return wholeOf();
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

function failureOf(error: unknown): Failure {
  const { message, code, detail, hint } = error as Failure;
  return { message, code, detail, hint };
}
