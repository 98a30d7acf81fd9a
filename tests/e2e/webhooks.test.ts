import { createServer } from 'node:http';
import { folioOf } from '../../src/lead/folio.ts';
import { asInsert, INSERT, sampleQuote } from '../integration/sample-quote.ts';
import { listening } from '../listening.ts';
import { expectNoFinding } from './accessible.ts';
import { hireForLong, hireSupervisor, openDesk, openDialog } from './desk-visitor.ts';
import { DESKTOP, expect, test, withoutWorker } from './visitor.ts';

test.use({ viewport: DESKTOP, environment: { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' } });

test('a supervisor sees the receiver’s answer to each webhook, and sends webhooks again', async ({
  page,
  browser,
  service,
}) => {
  let status = 500;
  const arrived: string[] = [];
  const receiver = createServer((request, response) => {
    arrived.push(request.headers['webhook-id'] as string);
    response.writeHead(status).end(status === 500 ? 'out of order' : undefined);
  });
  const url = await listening(receiver);
  await service.asOperator('/rest/v1/webhooks', {
    url: `${url}/secret`,
    events: '{quote.received}',
    secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
  });
  const quote = sampleQuote();
  expect((await fetch(`${service.origin}${INSERT}`, asInsert(quote))).status).toBe(201);
  await openDesk(page, await hireSupervisor(service));
  await openDialog(page, 'Webhooks');
  const dialog = page.getByRole('dialog', { name: 'Webhooks' });
  const row = dialog.getByRole('listitem').filter({ hasText: folioOf(quote.id) });
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Actualizar' }).click();
    await expect(row).toContainText('Respuesta 500: out of order', { timeout: 1000 });
    // A list drawn during the next attempt says otherwise.
    await expect(row).toContainText('En espera', { timeout: 1000 });
  }).toPass();
  await expect(row).toContainText(new URL(url).host);
  await expect(dialog).not.toContainText('/secret');
  await expectNoFinding(page, 'webhooks', 'dialog');
  status = 200;
  await row.getByRole('button', { name: 'Reenviar: Recibida' }).press('Enter');
  await expect(dialog.getByRole('status')).toContainText('Se enviarán otra vez');
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Actualizar' }).click();
    await expect(row).toContainText('Entregado', { timeout: 1000 });
  }).toPass();
  const before = arrived.length;
  await dialog.getByRole('button', { name: 'Reenviar los del día' }).click();
  await expect.poll(() => arrived.length).toBeGreaterThan(before);
  expect(new Set(arrived).size).toBe(1);
  await dialog.getByLabel('Mostrar').selectOption('Los que no llegaron');
  await expect(dialog.getByRole('status')).toContainText('Ninguno.');
  await expect(dialog.getByRole('button', { name: 'Reenviar los que no llegaron' })).toBeDisabled();

  const other = await browser.newPage({ baseURL: service.origin, viewport: DESKTOP, ...withoutWorker });
  await openDesk(other, await hireForLong(service, 'Ana Ruiz'));
  await other.getByRole('button', { name: 'Más' }).first().click();
  await expect(other.getByRole('button', { name: 'Indicadores' })).toBeVisible();
  await expect(other.getByRole('button', { name: 'Webhooks' })).toHaveCount(0);
  await other.close();
  receiver.close();
});
