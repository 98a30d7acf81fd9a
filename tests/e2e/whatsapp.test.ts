import { message, openGraphServer, postHook, status, webhook } from '../integration/graph-server.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { deskAt } from './desk-visitor.ts';
import { askNow, expect, receipt, sent, sharedBy, someone, test as base } from './visitor.ts';

/** Test with a server that writes to customers through the test’s substitute for WhatsApp. */
const test = base.extend<{}, { graph: Awaited<ReturnType<typeof openGraphServer>> }>({
  graph: sharedBy(openGraphServer, (graph) => graph.close()),
  environment: [({ graph }, use) => use(graph.environment), { scope: 'worker' }],
});
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

test('a customer allows WhatsApp messages on a receipt, gets one, and stops them', async ({ page, service, graph }) => {
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

test('desk and customer talk by WhatsApp once the customer has allowed it', async ({ page, service, graph }) => {
  await page.goto('/');
  const { id } = await sent(page, service, { ...someone(), telefono: '+52 664 555 0101' });
  await receipt(page).getByRole('button', { name: 'Avisarme por WhatsApp' }).click();
  await expect(receipt(page)).toContainText('Le escribiremos por WhatsApp cuando haya respuesta.');
  await page.close();
  graph.messages.length = 0;

  const say = (body: string) =>
    postHook(service.origin, webhook(message({ from: '5216645550101', user: 'MX.77', body })));
  const desk = await deskAt(page, service, folioOf(id));
  await expect(desk.getByText('el cliente no ha escrito en 24 horas')).toBeVisible();
  await say('¿Puede ir a 2 grados?');
  await expect(desk.getByText('por WhatsApp de +526645550101')).toBeVisible({ timeout: 20_000 });
  await expect(desk.getByText(/Texto libre hasta/)).toBeVisible();

  await desk.getByRole('button', { name: 'WhatsApp' }).click();
  const answer = desk.getByRole('form', { name: 'Responder' });
  await expect(answer.getByRole('radio', { name: 'Mensaje' })).toBeChecked();
  await expect(answer.getByRole('textbox')).toBeFocused();
  await desk.keyboard.type('Sí, sale el jueves.');
  await desk.keyboard.press('Control+Enter');
  await desk.getByRole('button', { name: 'Enviar ya' }).first().click();
  await expect.poll(() => graph.messages.length, { timeout: 15_000 }).toBe(1);
  expect(graph.messages[0]).toMatchObject({ to: '+5216645550101', type: 'text' });
  expect(graph.messages[0]!.text!.body).toContain('Sí, sale el jueves.');
  await postHook(service.origin, webhook(status(graph.messages[0]!, 'read')));
  await say('Perfecto, gracias.');
  await expect(desk.getByText('Perfecto, gracias.')).toBeVisible({ timeout: 20_000 });
  await expect(desk.getByText(/WhatsApp leído/)).toBeVisible({ timeout: 20_000 });
});
