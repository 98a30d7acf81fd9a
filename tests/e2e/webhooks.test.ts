import { createServer } from 'node:http';
import { folioOf } from '../../src/lead/folio.ts';
import { asInsert, INSERT, sampleQuote } from '../integration/sample-quote.ts';
import { listening } from '../listening.ts';
import { expectNoFinding } from './accessible.ts';
import { enter, hireForLong, hireSupervisor, openDesk, openDialog, tabTo } from './desk-visitor.ts';
import type { Service } from './service.ts';
import { DESKTOP, expect, test, withoutWorker } from './visitor.ts';

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

test('a supervisor sees the receiver’s answer to each webhook, and sends webhooks again', async ({
  page,
  browser,
  service,
}) => {
  const { answers, folio, host, stop } = await startReceiver(service);
  const { arrived } = answers;
  await openDesk(page, await hireSupervisor(service));
  await openDialog(page, 'Webhooks');
  const dialog = page.getByRole('dialog', { name: 'Webhooks' });
  const row = dialog.getByRole('listitem').filter({ hasText: folio });
  await expect(async () => {
    await dialog.getByRole('button', { name: 'Actualizar' }).click();
    await expect(row).toContainText('Respuesta 500: out of order', { timeout: 1000 });
    // The row shows another state while the next attempt runs, so the test repeats the check.
    await expect(row).toContainText('En espera', { timeout: 1000 });
  }).toPass();
  await expect(row).toContainText(host);
  await expect(dialog).not.toContainText('/secret');
  await expectNoFinding(page, 'webhooks', 'dialog');
  answers.status = 200;
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
  stop();
});

test('a supervisor sends a logged webhook again by keyboard alone, and never loses the focus', async ({
  page,
  service,
}) => {
  const { answers, folio, host, stop } = await startReceiver(service);
  answers.status = 200;
  await openDesk(page, await hireSupervisor(service));
  const menu = page.getByRole('banner').getByRole('button', { name: 'Más' });
  await enter(page, menu);
  await enter(page, page.getByRole('banner').getByRole('button', { name: 'Webhooks' }));
  const dialog = page.getByRole('dialog', { name: 'Webhooks' });
  const row = dialog.getByRole('listitem').filter({ hasText: folio }).filter({ hasText: host });
  await expect(row).toBeVisible();
  const day = dialog.getByLabel('Día');
  await tabTo(page, day);
  // The day is the second part of the date field. On the 1st the test presses Up, because Down would turn 1 to 31.
  const [away, back] = (await day.inputValue()).endsWith('-01') ? ['Up', 'Down'] : ['Down', 'Up'];
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press(`Arrow${away}`);
  await expect(dialog.getByRole('status')).toContainText('Ninguno.');
  await expect(dialog.getByRole('button', { name: 'Reenviar los del día' })).toBeDisabled();
  await page.keyboard.press(`Arrow${back}`);
  await expect(row).toBeVisible();
  const again = row.getByRole('button', { name: 'Reenviar: Recibida' });
  await enter(page, again);
  await expect(dialog.getByRole('status')).toContainText('Se enviarán otra vez');
  await expect(again).toBeFocused();
  await expect.poll(() => answers.arrived.length).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(menu).toBeFocused();
  stop();
});
