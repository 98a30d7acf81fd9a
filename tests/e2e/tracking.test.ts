import { randomInt, randomUUID } from 'node:crypto';
import { dayInWords } from '../../src/content/dates.ts';
import { shipmentWords } from '../../src/content/shipment.ts';
import { JOURNEY, localTime } from '../../src/lead/shipment.ts';
import { expectNoFinding } from './accessible.ts';
import {
  book,
  hireForLong,
  hireSupervisor,
  openDesk,
  openDialog,
  sayAsPhone,
  sendQuote,
  sheetOf,
  signedIn,
  toasts,
} from './desk-visitor.ts';
import { PRICED } from './every-state.ts';
import type { Service } from './service.ts';
import { accept, askNow, DESKTOP, expect, openWithWorker, PHONE, receipt, sent, test } from './visitor.ts';

const HOUR = 3_600_000;
const names = shipmentWords.steps;

async function bookedQuote(service: Service) {
  const quote = await sendQuote(service);
  const answer_id = randomUUID();
  await service.answer(quote.id, { ...PRICED, id: answer_id, body: 'Sale el jueves.' });
  await sayAsPhone(service, 'quote_replies', 'id', {
    id: randomUUID(),
    quote_id: quote.id,
    answer_id,
    kind: 'aceptada',
    body: '',
  });
  return { ...quote, ...(await book(service, quote.id, answer_id)) };
}

test.describe('the shipment on the customer’s phone', () => {
  test.use({ viewport: PHONE, serviceWorkers: 'allow' });
  test('a phone back online shows nine milestones in order, and once', async ({ page, context, service, quiet }) => {
    quiet.allow(/Failed to load resource/);
    await openWithWorker(page);
    const { id, folio } = await sent(page, service);
    const answer_id = randomUUID();
    await service.answer(id, { ...PRICED, id: answer_id, body: 'Todo incluido.' });
    await askNow(page);
    await accept(receipt(page));
    await expect(receipt(page)).toContainText('¡Listo!');
    const shipment = await book(service, id, answer_id);
    await askNow(page);
    await expect(receipt(page)).toContainText('Su espacio está reservado');

    await context.setOffline(true);
    const ana = await signedIn(service, await hireForLong(service, 'Ana Ruiz'));
    const departs = Date.now() + 48 * HOUR;
    const flight = {
      ...shipment,
      flight: 'CZ8412',
      origin: 'TIJ',
      flight_day: localTime(departs, 'TIJ').slice(0, 10),
      waybill: '78412345675',
      departs_at: new Date(departs).toISOString(),
      cutoff_at: new Date(departs - 6 * HOUR).toISOString(),
    };
    expect((await ana.from('shipment_flights').insert(flight)).error).toBe(null);
    const said = [...JOURNEY.slice(0, 5), 'detenida', ...JOURNEY.slice(5)] as const;
    for (const step of said) {
      const row = { id: randomUUID(), ...shipment, step, ...(step === 'detenida' && { word: 'Falta un sello' }) };
      expect((await ana.from('shipment_steps').insert(row)).error).toBe(null);
    }
    await expect(receipt(page)).not.toContainText(names.recolectada.es);

    await context.setOffline(false);
    await askNow(page);
    await expect(page.getByText(`Su embarque avanza: ${folio}`)).toHaveCount(1);
    const line = receipt(page).getByRole('region', { name: shipmentWords.title.es });
    await expect(line.getByRole('listitem')).toHaveCount(said.length + 1);
    const shown = await line.getByRole('listitem').locator('b').allInnerTexts();
    expect(shown.slice(1).map((text) => text.split('\n')[0]!.replace(names.detenida.en, '').trim())).toEqual(
      said.map((step) => expect.stringContaining(names[step].es)),
    );
    await expect(line).toContainText('Falta un sello');
    await expect(line).toContainText('(Zhengzhou)');
    await expect(line).toContainText('784-12345675');
    await askNow(page);
    await context.setOffline(true);
    await page.reload();
    await expect(receipt(page).or(page.locator('.way')).first()).toContainText(folio);
    await page.evaluate(() => void (location.hash = '#mis-cotizaciones'));
    const stored = page.getByRole('dialog', { name: 'Mis cotizaciones' });
    await expect(stored).toContainText(names.entregada.es);
    await expect(page.getByText(`Su embarque avanza: ${folio}`)).toHaveCount(0);
  });
});

test.describe('shipments at the desk', () => {
  test.use({ viewport: DESKTOP });
  test('a supervisor records and takes back milestones, also of a whole flight', async ({ page, service, quiet }) => {
    quiet.allow(/ERR_FAILED/);
    // Each test uses a random flight number, because all tests share a server.
    const flight = `MU${randomInt(1000, 10_000)}`;
    const [first, second] = [await bookedQuote(service), await bookedQuote(service)];
    await openDesk(page, await hireSupervisor(service));
    const fly = async ({ folio }: { folio: string }) => {
      await page.goto(`/mesa.html#${folio}`);
      const part = sheetOf(page, folio).getByRole('region', { name: shipmentWords.title.es });
      await part.getByRole('button', { name: 'Agregar vuelo y guía' }).click();
      const form = part.getByRole('form');
      await form.getByLabel('Vuelo').fill(flight.toLowerCase());
      await form.getByLabel('Día de salida').fill('2026-12-02');
      // The form proposes the reference of the booking, because this reference is an air waybill number.
      await expect(form.getByLabel('Guía aérea')).toHaveValue('784-12345675');
      return { part, form };
    };
    const day = localTime(Date.now() + 48 * HOUR, 'TIJ').slice(0, 10);
    const { part, form } = await fly(second);
    await form.getByLabel('Guía aérea').fill('784-12345674');
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(form).toContainText('terminaría en 5');
    await form.getByLabel('Guía aérea').fill('784-12345675');
    await form.getByLabel('Día de salida').fill(day);
    await form.getByLabel('Salida, hora de Tijuana').fill(`${day}T22:00`);
    await form.getByRole('button', { name: 'Guardar' }).click();
    await expect(part).toContainText(`${flight} · ${dayInWords(day, Date.now()).es}`);
    const other = await fly(first);
    await other.form.getByLabel('Día de salida').fill(day);
    await other.form.getByRole('button', { name: 'Guardar' }).click();
    await expect(other.part).toContainText('también otro embarque');
    await expectNoFinding(page);

    // The desk sends a milestone after ten seconds. The button "Deshacer" cancels the milestone before that.
    await other.part.getByRole('button', { name: names.recolectada.es }).click();
    await other.part.getByRole('button', { name: 'Deshacer' }).click();
    await expect(other.part.getByRole('listitem')).toHaveCount(0);

    await other.part.getByLabel('Todo el vuelo').check();
    await other.part.getByRole('button', { name: names.recolectada.es }).click();
    // The desk sends the waiting milestones at once when another lead is opened.
    await page.goto(`/mesa.html#${second.folio}`);
    await expect(toasts(page)).toContainText('Listo en 2 embarques');
    const moved = sheetOf(page, second.folio).getByRole('region', { name: shipmentWords.title.es });
    await expect(moved.getByRole('listitem')).toContainText([names.recolectada.es]);

    await moved.getByRole('button', { name: 'Anular' }).click();
    await expect(toasts(page)).toContainText('Anulado');
    await expect(moved.getByRole('listitem')).toHaveCount(0);

    await moved.getByRole('button', { name: 'Otro paso u otra hora' }).click();
    await moved.getByLabel('Paso', { exact: true }).selectOption('entregada');
    await moved.getByLabel('Merma').fill('0.5');
    await moved.getByRole('button', { name: 'Guardar' }).click();
    await page.goto(`/mesa.html#${first.folio}`);
    await expect(toasts(page)).toContainText('Listo: el cliente ya lo ve.');
    await page.goto(`/mesa.html#${second.folio}`);
    await expect(moved.getByRole('listitem')).toContainText([names.entregada.es]);
    await page.goto(`/mesa.html#${first.folio}`);

    // If a milestone’s request fails while the page is left, the desk offers a button to send the milestone again.
    await page.route('**/rest/v1/shipment_steps*', (route) => route.abort());
    await other.part.getByRole('button', { name: names.recibida.es }).click();
    await expect(other.part.getByRole('button', { name: 'Deshacer' })).toBeVisible();
    const failed = page.waitForEvent('requestfailed');
    await page.evaluate(() => void dispatchEvent(new Event('pagehide')));
    await failed;
    await page.unroute('**/rest/v1/shipment_steps*');
    await page.reload();
    await other.part.getByRole('button', { name: 'Enviar otra vez' }).click();
    await expect(other.part.getByRole('listitem')).toContainText([names.recolectada.es, names.recibida.es]);
    await expect(other.part.getByRole('button', { name: 'Enviar otra vez' })).toHaveCount(0);
  });

  // desk-import.test.ts tests the dialog by keyboard, with its file of errors and a second import.
  test('a colleague checks a CSV of milestones, and stores it', async ({ page, service }) => {
    const [mine, done] = [await bookedQuote(service), await bookedQuote(service)];
    const now = Date.now();
    const time = localTime(now, 'TIJ').replace('T', ' ');
    const csv = [
      'Folio;Paso;Hora;Nota',
      `${mine.folio};RCS;${new Date(now).toISOString()};`,
      `${mine.folio};llego;${new Date(now).toISOString()};`,
      `${done.folio};volando;${time};`,
      `${done.folio};envuelo;2020-01-01 10:00;`,
      `AP-0000-0000;envuelo;${time};`,
    ].join('\r\n');
    await openDesk(page, await hireSupervisor(service));
    await openDialog(page, 'Importar pasos de embarques');
    const dialog = page.getByRole('dialog', { name: 'Importar pasos de embarques' });
    const file = { name: 'pasos.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) };
    await dialog.getByLabel('Archivo CSV').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Revisar' }).click();
    const summary = dialog.getByRole('status');
    await expect(summary).toContainText('Se guardarían 2; ya estaban o se repiten: 0; con error: 3.');
    await expect(dialog.getByRole('listitem')).toContainText([
      'ese paso no existe',
      'esa hora es anterior a la oferta',
      'ningún embarque reservado tiene ese folio',
      `se guardaría: ${mine.folio} · Recibida en el aeropuerto`,
      /Llegó a Zhengzhou.*\(Zhengzhou\)/,
    ]);
    await expectNoFinding(page, 'trial of milestones', 'dialog');
    await dialog.getByRole('button', { name: 'Guardar 2 pasos' }).click();
    await expect(summary).toContainText('Guardados: 2; ya estaban o se repiten: 0; con error: 3.');
    await page.keyboard.press('Escape');
    await page.goto(`/mesa.html#${mine.folio}`);
    const part = sheetOf(page, mine.folio).getByRole('region', { name: shipmentWords.title.es });
    await expect(part.getByRole('listitem')).toContainText([names.recibida.es, names.llegada.es]);
  });
});
