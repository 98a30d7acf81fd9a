import { execFile } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { tray } from './every-state.ts';
import { SHORT_LIVED } from '../run-folder.ts';
import { scratchFolder } from '../scratch.ts';
import type { Service } from './service.ts';
import { expect, fill, receipt, someone, submit, test, withoutWorker } from './visitor.ts';

test.use(withoutWorker);
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const run = promisify(execFile);

async function send(page: Page): Promise<string> {
  const person = someone();
  await page.goto('/');
  await fill(page, person);
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  return person.nombre;
}

const command = (service: Service, script: string, ...words: string[]) =>
  run(process.execPath, [SHORT_LIVED, `server/cli/${script}.ts`, ...words], {
    env: { ...process.env, DATA_DIR: service.dataDir },
  });

const stored = async (service: Service, nombre: string) =>
  (await service.quotes()).filter((quote) => quote.nombre === nombre);

/** Everything since the backup is gone. */
async function restore(service: Service, file: string): Promise<void> {
  await service.kill();
  await rename(path.join(service.dataDir, 'database'), `${file}-lost`);
  await command(service, 'backup', 'restore', file);
  await service.up();
}

test('a server that is brought back from an older backup gets from the phone what it has lost, once; what was erased stays gone', async ({
  page,
  service,
}) => {
  const folder = await mkdtemp(path.join(scratchFolder(), 'aeropuente-'));
  const file = path.join(folder, 'yesterday.tar.gz');
  const erased = await send(page);
  const [{ folio } = { folio: '' }] = await stored(service, erased);
  await command(service, 'quotes', 'block', folio);
  await command(service, 'quotes', 'purge', folio);
  const before = await send(page);
  await command(service, 'backup', 'backup', file);
  const since = await send(page);
  const [lost] = await stored(service, since);

  await restore(service, file);
  expect(await stored(service, since)).toEqual([]);

  await page.goto('about:blank');
  service.inserts.length = 0;
  await page.goto('/#mis-cotizaciones');
  await expect(tray(page)).toContainText('Nuestro sistema perdió datos; este teléfono la envió otra vez');
  const [again, ...more] = await stored(service, since);
  expect(more).toEqual([]);
  expect(again).toMatchObject({ id: lost!.id, folio: lost!.folio, created_at: lost!.created_at });
  expect(again!.entregada).toBe(lost!.created_at);
  expect(await stored(service, before)).toMatchObject([{ entregada: null }]);
  expect(await stored(service, erased)).toEqual([]);
  expect(service.inserts).toEqual([lost!.id]);

  // Whoever opens it once more sends nothing.
  await page.goto('about:blank');
  const asked = page.waitForResponse(/unknown_submissions/);
  await page.goto('/#mis-cotizaciones');
  await asked;
  expect(service.inserts).toEqual([lost!.id]);
  await rm(folder, { recursive: true });
});
