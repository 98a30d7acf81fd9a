import { openGraphServer } from '../integration/graph-server.ts';
import { askNow, expect, receipt, sent, test as base } from './visitor.ts';

/** Server that writes to customers through the test's own WhatsApp. */
const test = base.extend<{}, { graph: Awaited<ReturnType<typeof openGraphServer>> }>({
  graph: [
    async ({}, use) => {
      const graph = await openGraphServer();
      await use(graph);
      await graph.close();
    },
    { scope: 'worker' },
  ],
  environment: [({ graph }, use) => use(graph.environment), { scope: 'worker' }],
});
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

test('a customer allows WhatsApp on the receipt without signal, is written to, and ends it', async ({
  page,
  service,
  graph,
}) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  const allow = receipt(page).getByRole('button', { name: 'Avisarme por WhatsApp' });
  await expect(allow).toBeVisible();
  await service.lineDown();
  await allow.focus();
  await page.keyboard.press('Enter');
  await expect(receipt(page)).toContainText('Este teléfono lo pedirá en cuanto haya señal.');
  await service.lineUp();
  await askNow(page);
  await expect(receipt(page)).toContainText('Le escribiremos por WhatsApp cuando haya respuesta.');
  await service.answer(id, { kind: 'mensaje', body: 'Sale el jueves.' });
  await expect.poll(() => graph.messages.length, { timeout: 15_000 }).toBe(1);
  expect(graph.messages[0]).toMatchObject({ to: '+529987654321', type: 'template' });

  await askNow(page);
  await receipt(page).getByRole('button', { name: 'Ya no escribirme por WhatsApp' }).click();
  await expect(receipt(page)).toContainText('Ya no le escribiremos por WhatsApp.');
  expect(await service.rowsAbout('whatsapp_choices', id)).toMatchObject([{ wanted: true }, { wanted: false }]);
});
