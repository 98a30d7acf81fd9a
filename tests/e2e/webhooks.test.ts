import { createServer } from 'node:http';
import { folioOf } from '../../src/lead/folio.ts';
import { asInsert, INSERT, sampleQuote } from '../integration/sample-quote.ts';
import { listening } from '../listening.ts';
import { expectNoFinding } from './accessible.ts';
import { hireSupervisor, openDesk } from './desk-visitor.ts';
import type { Service } from './service.ts';
import { DESKTOP, enter, expect, test } from './visitor.ts';

test.use({ viewport: DESKTOP, environment: { WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' } });

/** Starts a receiver that answers 500 until `status` is changed, and sends a quote whose event the receiver gets. */
async function startReceiver(service: Service) {
  const answers = { status: 500, arrived: [] as string[] };
  const receiver = createServer((request, response) => {
    answers.arrived.push(request.headers['webhook-id'] as string);
    response.writeHead(answers.status).end(answers.status === 500 ? 'out of order' : undefined);
  });
  const url = await listening(receiver);
  await service.asOperator('/rest/v1/webhooks', {
    url: `${url}/secret`,
    events: '{quote.received}',
    secret: `whsec_${Buffer.alloc(32).toString('base64')}`,
  });
  const quote = sampleQuote();
  expect((await fetch(`${service.origin}${INSERT}`, asInsert(quote))).status).toBe(201);
  return { answers, folio: folioOf(quote.id), host: new URL(url).host, stop: () => receiver.close() };
}

test('a supervisor sees a receiver’s answers, and repeats webhooks by keyboard', async ({ page, service }) => {
  const { answers, folio, host, stop } = await startReceiver(service);
  const { arrived } = answers;
  await openDesk(page, await hireSupervisor(service));
  const menu = page.getByRole('banner').getByRole('button', { name: 'Más' });
  await enter(page, menu);
  await enter(page, page.getByRole('banner').getByRole('button', { name: 'Webhooks' }));
  const dialog = page.getByRole('dialog', { name: 'Webhooks' });
  const row = dialog.getByRole('listitem').filter({ hasText: folio }).filter({ hasText: host });
  const update = () => dialog.getByRole('button', { name: 'Actualizar' }).click();
  await expect(async () => {
    await update();
    await expect(row).toContainText('Respuesta 500: out of order', { timeout: 1000 });
    // The row shows another state while the next attempt runs, so the test repeats the check.
    await expect(row).toContainText('En espera', { timeout: 1000 });
  }).toPass();
  await expect(dialog).not.toContainText('/secret');
  await expectNoFinding(page, 'webhooks', 'dialog');
  answers.status = 200;
  const again = row.getByRole('button', { name: 'Reenviar: Recibida' });
  await enter(page, again);
  await expect(dialog.getByRole('status')).toContainText('Se enviarán otra vez');
  await expect(again).toBeFocused();
  await expect(async () => {
    await update();
    await expect(row).toContainText('Entregado', { timeout: 1000 });
  }).toPass();
  const before = arrived.length;
  await dialog.getByRole('button', { name: 'Reenviar los del día' }).click();
  await expect.poll(() => arrived.length).toBeGreaterThan(before);
  expect(new Set(arrived).size).toBe(1);
  await dialog.getByLabel('Mostrar').selectOption('Los que no llegaron');
  await expect(dialog.getByRole('status')).toContainText('Ninguno.');
  await expect(dialog.getByRole('button', { name: 'Reenviar los que no llegaron' })).toBeDisabled();
  await dialog.getByLabel('Mostrar').selectOption({ index: 0 });
  await expect(row).toBeVisible();
  await dialog.getByLabel('Día').fill('2020-01-31');
  await expect(dialog.getByRole('status')).toContainText('Ninguno.');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();
  stop();
});
