import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoFinding } from './accessible.ts';
import { deskAt, sayAsPhone, sheet } from './desk-visitor.ts';
import { PRICED, tray } from './every-state.ts';
import { findMisfits } from './layout.ts';
import { refuses } from './service.ts';
import { accept, askNow, expect, openWithWorker, receipt, sent, test, unfold } from './visitor.ts';

test.use({ serviceWorkers: 'allow' });
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const papers = (place: Locator) => place.getByRole('region', { name: 'Documentos del embarque' });
const mark = (page: Page, paper: string, state: string) =>
  papers(receipt(page)).getByLabel(paper, { exact: false }).first().selectOption(state);

test('phone and desk share states of shipping documents, even if set offline', async ({ page, context, service }) => {
  await openWithWorker(page);
  const { id, folio } = await sent(page, service);
  await sayAsPhone(service, 'quote_details', 'id', { id: randomUUID(), quote_id: id, producto: 'Frambuesas' });
  await service.answer(id, { ...PRICED, body: 'Sale el jueves.' });
  await askNow(page);
  await accept(receipt(page));
  await expect(receipt(page)).toContainText('¡Listo!');
  await unfold(page);
  await expect(papers(receipt(page))).toContainText('Certificado fitosanitario internacional');
  await expectAccessible(page, 'the papers of a shipment', 'article');
  expect(await page.evaluate(findMisfits)).toEqual([]);

  await context.setOffline(true);
  await mark(page, 'Factura comercial', 'tengo');
  await mark(page, 'Lista de empaque', 'falta');
  await papers(receipt(page))
    .locator('li', { hasText: 'Pedimento' })
    .locator('input[type=file]')
    .setInputFiles({ name: 'pedimento.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 pedimento') });
  await expect(papers(receipt(page)).locator('li', { hasText: 'Pedimento' })).toContainText(
    'guardado en este teléfono',
  );
  await context.setOffline(false);
  await askNow(page);
  await expect
    .poll(async () =>
      (await service.rowsAbout('shipment_papers', id)).map(({ papel, estado }) => [papel, estado].join(' ')).toSorted(),
    )
    .toEqual(['empaque falta', 'factura tengo', 'pedimento tengo']);

  const desk = await deskAt(page, service, folio);
  const listed = papers(sheet(desk));
  await expect(listed.getByLabel('Factura comercial')).toHaveValue('tengo');
  await expect(listed.locator('li', { hasText: 'Pedimento' })).toContainText('pedimento.pdf');
  await listed.getByLabel('Lista de empaque').selectOption('tengo');
  await expect(listed.locator('li', { hasText: 'Lista de empaque' })).not.toContainText('cliente');
  await expectNoFinding(desk, 'a sheet with papers', 'article');

  await page.goto('/#mis-cotizaciones');
  await page.reload();
  await unfold(page);
  await expect(papers(tray(page)).getByRole('combobox', { name: 'Lista de empaque' })).toHaveValue('tengo');
});

test('a refused document state can be set again; one file may contain two documents', async ({ page, service }) => {
  await openWithWorker(page);
  const { id } = await sent(page, service);
  await unfold(page);
  const invoice = papers(receipt(page)).locator('li', { hasText: 'Factura comercial' });
  const list = papers(receipt(page)).locator('li', { hasText: 'Lista de empaque' });
  service.replyFault = refuses(400, '23514');
  await invoice.getByRole('combobox').selectOption('tengo');
  await expect(invoice).toContainText('no se pudo entregar');
  await expect(invoice.getByRole('combobox')).toHaveValue('');
  service.replyFault = () => ({ kind: 'none' });
  const pdf = { name: 'papeles.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 both') };
  for (const paper of [invoice, list]) {
    await paper.locator('input[type=file]').setInputFiles(pdf);
    await expect(paper.getByRole('combobox')).toHaveValue('tengo');
    await expect(paper).toContainText('adjunto');
  }
  await askNow(page);
  await expect
    .poll(async () => new Set((await service.rowsAbout('shipment_papers', id)).map(({ archivo }) => archivo)).size)
    .toBe(1);
  expect(await service.rowsAbout('shipment_papers', id)).toHaveLength(2);
});
