import { parentPort, workerData } from 'node:worker_threads';
import type { Database, Question, ThreadData } from './database.ts';
import { migrate } from './migrate.ts';
import { carryOut, forget, openPglite, sync } from './pglite.ts';
import type { Failure, Reply } from './watched-thread.ts';

const { folder, migrations, afterwards } = workerData as ThreadData;
const port = parentPort!;
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
  await migrate(database, migrations);
  if (afterwards.length > 0) await database.transaction(afterwards);
  await sync(pglite);

  const answer = async (question: Question): Promise<unknown> => {
    switch (question.kind) {
      case 'transaction':
        return database.transaction(question.statements, question);
      case 'sync':
        return sync(pglite);
      case 'tidy':
        await pglite.exec('vacuum');
        return pglite.exec('checkpoint');
      case 'forget':
        return forget(pglite);
      case 'backup':
        return new Uint8Array(await (await pglite.dumpDataDir('gzip')).arrayBuffer());
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
