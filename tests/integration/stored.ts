import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { openBackend } from '../../server/backend.ts';
import { readLimits } from '../../server/settings.ts';
import { copyFolder, madeOnce } from '../run-folder.ts';
import { dataDirectory, temporaryDirectory } from './processes.ts';
import { asInsert, INSERT, sampleQuote, type SampleQuote } from './sample-quote.ts';

/** Makes a data directory with three quotes, a backup of this directory, and an unused path for a restore. */
export async function storedDirectory() {
  const made = await madeOnce('stored', async (unfinished) => {
    const dataDir = path.join(unfinished, 'data');
    mkdirSync(unfinished, { recursive: true });
    copyFolder(await dataDirectory(), dataDir);
    const backend = await openBackend({ dataDir, limits: readLimits({}), publishableKey: 'aeropuente-public' });
    const sent = [sampleQuote(), sampleQuote(), sampleQuote()];
    for (const quote of sent) {
      const stored = await backend.answer(new Request(`http://localhost${INSERT}`, asInsert(quote)), '203.0.113.1');
      expect(stored.status).toBe(201);
    }
    const headers = { apikey: await backend.serviceKey() };
    const whole = await backend.answer(new Request('http://localhost/backup', { headers }), '203.0.113.1');
    writeFileSync(path.join(unfinished, 'all.tar.gz'), Buffer.from(await whole.arrayBuffer()));
    writeFileSync(path.join(unfinished, 'sent.json'), JSON.stringify(sent));
    await backend.close();
  });
  const folder = temporaryDirectory();
  copyFolder(made, folder);
  return {
    dataDir: path.join(folder, 'data'),
    file: path.join(folder, 'all.tar.gz'),
    other: path.join(folder, 'other'),
    sent: JSON.parse(readFileSync(path.join(folder, 'sent.json'), 'utf8')) as SampleQuote[],
  };
}
