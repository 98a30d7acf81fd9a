import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import type { Lead } from '../../server/cli/leads.ts';
import { tray } from './every-state.ts';
import { SHORT_LIVED } from '../run-folder.ts';
import { scratchFolder } from '../scratch.ts';
import type { Service } from './service.ts';
import { expect, sent, test, withoutWorker } from './visitor.ts';

test.use(withoutWorker);
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const run = promisify(execFile);

async function send(page: Page, service: Service): Promise<Lead> {
  await page.goto('/');
  return sent(page, service);
}

const command = (service: Service, script: string, ...words: string[]) =>
  run(process.execPath, [SHORT_LIVED, `server/cli/${script}.ts`, ...words], {
    env: { ...process.env, DATA_DIR: service.dataDir },
  });

/** Everything since the backup is gone. */
async function restore(service: Service, file: string): Promise<void> {
  await service.kill();
  await rename(path.join(service.dataDir, 'database'), `${file}-lost`);
  await command(service, 'backup', 'restore', file);
  await service.up();
}

test('a server that is brought back from an older backup gets from the phone what it has lost, once', async ({
  page,
  service,
}) => {
  const folder = await mkdtemp(path.join(scratchFolder(), 'aeropuente-'));
  const file = path.join(folder, 'yesterday.tar.gz');
  const before = await send(page, service);
  await command(service, 'backup', 'backup', file);
  const lost = await send(page, service);

  await restore(service, file);
  expect(await service.rowsOf(lost.nombre)).toEqual([]);

  await page.goto('about:blank');
  service.inserts.length = 0;
  await page.goto('/#mis-cotizaciones');
  await expect(tray(page)).toContainText('Nuestro sistema perdió datos; este teléfono la envió otra vez');
  const [again, ...more] = await service.rowsOf(lost.nombre);
  expect(more).toEqual([]);
  expect(again).toMatchObject({ id: lost.id, folio: lost.folio, created_at: lost.created_at });
  expect(again!.entregada).toBe(lost.created_at);
  expect(await service.rowsOf(before.nombre)).toMatchObject([{ entregada: null }]);
  expect(service.inserts).toEqual([lost.id]);

  // Whoever opens it once more sends nothing.
  await page.goto('about:blank');
  const asked = page.waitForResponse(/unknown_submissions/);
  await page.goto('/#mis-cotizaciones');
  await asked;
  expect(service.inserts).toEqual([lost.id]);
  await rm(folder, { recursive: true });
});
