import { afterAll, describe, test } from 'vitest';
import { asOwner, EMPTIED } from './callers.ts';
import { ownDatabase, ownEngine, served, startPostgres } from './engines.ts';

// Runs rest.test.ts on PostgreSQL instead of PGlite.

const server = await startPostgres('postgres', ['fsync=on']);
afterAll(() => server?.stop());

if (server) {
  const url = await ownDatabase(server, 'served');
  served.open = async () => {
    const engine = await ownEngine(url);
    await asOwner(engine, EMPTIED);
    return engine;
  };
  describe('the REST interface on the operator’s own PostgreSQL', async () => {
    await import('./rest.test.ts');
  });
} else test.skip('REST tests on PostgreSQL are skipped: the program is missing on this machine', () => undefined);
