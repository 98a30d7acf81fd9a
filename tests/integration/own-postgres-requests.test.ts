import { afterAll, describe, test } from 'vitest';
import { asOwner, EMPTIED } from './callers.ts';
import { ownDatabase, ownEngine, served, startPostgres } from './engines.ts';

// What a request is answered on a PostgreSQL of one's own is what it is answered on the embedded one: the same tests.

const server = await startPostgres('postgres', ['fsync=on']);
afterAll(() => server?.stop());

if (server) {
  const url = await ownDatabase(server, 'served');
  served.open = async () => {
    const engine = await ownEngine(url);
    await asOwner(engine, EMPTIED);
    return engine;
  };
  describe('on a PostgreSQL of one’s own', async () => {
    await import('./rest.test.ts');
  });
  describe('on a PostgreSQL of one’s own, the desk', async () => {
    await import('./rest-desk.test.ts');
  });
} else test.skip('on a PostgreSQL of one’s own: its program is not here', () => undefined);
