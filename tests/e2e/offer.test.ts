import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { folioOf } from '../../src/lead/folio.ts';
import { expectNoFinding } from './accessible.ts';
import {
  bringIntoView,
  deskAt,
  field,
  hireForLong,
  openDesk,
  openLead,
  press,
  row,
  saveAnswer,
  sayAsPhone,
  seesSoon,
  sendQuote,
  type Sent,
  sheet,
  stands,
  toasts,
  writeAnswer,
} from './desk-visitor.ts';
import type { Service } from './service.ts';
import { PICTURE } from './looks.ts';
import { accept, askNow, expect, openWithWorker, receipt, sent as send, test, unfold } from './visitor.ts';

// Desk and phone are separate browsers in these tests, connected only by the server.

test.use({ serviceWorkers: 'allow' });
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

async function asks(page: Page, service: Service): Promise<Sent> {
  await openWithWorker(page);
  return send(page, service);
}

async function offers(desk: Page, price: string, day = '2099-11-28'): Promise<void> {
  await writeAnswer(desk, 'Oferta', `Todo incluido a ${price}.`);
  await desk.getByLabel('Precio').fill(price);
  await desk.getByLabel('Kilos al mes').fill('1,200');
  await desk.getByLabel('Vigencia').fill(day);
  await saves(desk, `Todo incluido a ${price}.`);
}

/** Sends the answer, and waits until the conversation at the desk shows the answer. */
async function saves(desk: Page, body: string): Promise<void> {
  await saveAnswer(desk);
  await expect(sheet(desk).getByRole('listitem').filter({ hasText: body })).toBeVisible();
}

test('phone and desk show each step from a question to a booked offer', async ({ page, context, service }) => {
  const sent = await asks(page, service);
  const ana = await deskAt(page, service, sent.folio);

  await writeAnswer(ana, 'Pregunta', '¿De qué ciudad sale?');
  await saves(ana, '¿De qué ciudad sale?');
  await askNow(page);
  await expect(receipt(page)).toContainText('¿De qué ciudad sale?');
  await expect(receipt(page).getByRole('button', { name: 'Aceptar' })).toHaveCount(0);
  await receipt(page).getByRole('button', { name: 'Responder' }).click();
  await receipt(page).getByRole('textbox').fill('De Ensenada.');
  await receipt(page).getByRole('button', { name: 'Enviar respuesta' }).click();
  await seesSoon(ana, sheet(ana).getByText('De Ensenada.'));
  await expect(sheet(ana).locator('header').getByText('Cliente respondió')).toBeVisible();

  await offers(ana, '4.10');
  await askNow(page);
  await expect(receipt(page)).toContainText(/US \$4\.10 por kilo.*Válida hasta el 28 de noviembre/);
  await context.setOffline(true);
  await offers(ana, '3.90');
  await accept(receipt(page));
  await expect(receipt(page)).toContainText('Aceptada · guardada en este teléfono');
  await context.setOffline(false);
  await seesSoon(ana, sheet(ana).getByText('Aceptó US $4.10 por kilo, para 1,200 kg al mes'));
  await expect(sheet(ana).getByText('ya había una más reciente: sin efecto')).toBeVisible();
  await expect(sheet(ana).getByText('Aceptó la oferta anterior')).toBeVisible();
  await askNow(page);
  await expect(receipt(page)).toContainText('Ya había una oferta más reciente; le respondemos antes de las');
  await expect(receipt(page)).toContainText('US $3.90 por kilo');

  await accept(receipt(page));
  await expect(receipt(page)).toContainText(/Aceptada · entregada .* respuesta antes de las/);
  // A toast at the desk announces the acceptance. The booking then replaces the offer in the receipt.
  await seesSoon(ana, toasts(ana).getByText(`${sent.nombre} aceptó US $3.90 por kilo`));
  await stands(ana, 'Cliente aceptó');
  await press(ana, /^Por reservar/);
  await expect(row(ana, sent)).toContainText('Cliente aceptó Yo');
  const booking = sheet(ana).getByRole('region', { name: 'Reservar' });
  await expect(booking).toBeInViewport();
  await expect(field(ana, /^Precio/)).toHaveCount(0);
  await expect(sheet(ana).getByRole('button', { name: 'Cerrar como…' })).toHaveCount(0);
  await expectNoFinding(ana, 'a booking', 'article');
  await field(ana, /^Guía aérea/).fill('020-12345675');
  await field(ana, /^Próximos pasos/).fill('');
  await press(ana, 'Reservada');
  await expect(booking).toContainText('Escriba un mensaje');
  await field(ana, /^Próximos pasos/).fill('Entregue el jueves a las 9.');
  await ana.keyboard.press('Enter');
  await stands(ana, 'Reservada');
  const [record] = await Promise.all([ana.waitForEvent('download'), press(ana, 'Descargar ONE Record')]);
  expect(record.suggestedFilename()).toBe(`${folioOf(sent.id)}.jsonld`);
  expect(readFileSync(await record.path(), 'utf8')).toContain('"cargo:CONFIRMED"');
  await askNow(page);
  await expect(receipt(page)).toContainText(/Su espacio está reservado.*020-12345675/);
  await expect(receipt(page).getByRole('status').first()).not.toContainText('antes de las');

  await context.setOffline(true);
  await page.goto('about:blank');
  await page.goto('/#mis-cotizaciones');
  await expect(page.getByRole('dialog')).toContainText('referencia 020-12345675');
});

/** Dialog that shows an offer as a page of letter paper. */
const offerSheet = (page: Page) => page.getByRole('dialog', { name: /^Oferta AP-/ });

async function opensSheet(page: Page, place: Locator): Promise<string> {
  await place.getByRole('button', { name: 'Ver oferta' }).click();
  await expect(offerSheet(page).getByRole('img', { name: 'Código QR' })).toBeVisible();
  return offerSheet(page).locator('[data-body]').innerText();
}

test('an offer of several charges is accepted offline and printed on one page', async ({ page, context, service }) => {
  const sent = await asks(page, service);
  const ana = await deskAt(page, service, sent.folio);
  await writeAnswer(ana, 'Oferta', 'Sale el jueves.');
  await press(ana, /^Tipo de cambio/);
  const rate = ana.getByRole('dialog', { name: 'Tipo de cambio' });
  await rate.getByLabel('Pesos por dólar').fill('17.0638');
  await rate.getByRole('button', { name: 'Guardar tipo de cambio' }).click();
  await expect(rate).toHaveCount(0);

  await ana.getByLabel('Por', { exact: true }).selectOption('total');
  await ana.getByLabel('Kilos del embarque').fill('250');
  await ana.getByLabel('Vigencia').fill('2099-11-28');
  await ana.getByLabel('Precio').fill('875');
  await sheet(ana).getByRole('button', { name: 'Desglosar' }).press('Enter');
  // "Desglosar" made the typed price the charge "freight", and moved the focus to the amount of the next charge.
  await ana.keyboard.type('100');
  const fuel = sheet(ana).getByRole('group', { name: 'Combustible' });
  await expect(fuel.getByLabel('Importe')).toHaveValue('100');
  await fuel.getByLabel('Unidad').selectOption('kilo');
  await fuel.getByLabel('Importe').fill('0.40');
  await sheet(ana).getByRole('button', { name: 'Agregar renglón' }).press('Enter');
  await ana.keyboard.type('80.1');
  const security = sheet(ana).getByRole('group', { name: 'Seguridad' });
  await security.getByLabel('Cargo').selectOption('manejo');
  const handling = sheet(ana).getByRole('group', { name: 'Manejo' });
  await handling.getByLabel('Unidad').selectOption('dia');
  await handling.getByLabel('Días').fill('3');
  await expect(ana.getByLabel('Precio (suma)')).toHaveValue('1215.30');
  await expectNoFinding(ana, 'the lines of an offer', 'article');
  await saves(ana, 'Sale el jueves.');

  await askNow(page);
  await expect(receipt(page)).toContainText('Combustible: US $0.40 por kilo × 250 kg = US $100.00');
  await expect(receipt(page)).toContainText('≈ MX $20,737.64 de referencia, a MX $17.0638 por dólar');
  await context.setOffline(true);
  await unfold(receipt(page));
  const [calendar] = await Promise.all([
    page.waitForEvent('download'),
    receipt(page).getByRole('button', { name: 'Agregar al calendario' }).click(),
  ]);
  expect(readFileSync(await calendar.path(), 'utf8')).toContain(`UID:${sent.folio}-validity@aeropuente`);
  const open = await opensSheet(page, receipt(page));
  expect(open).toContain('Sin aceptar todavía.');
  await expectNoFinding(page, 'the sheet of an offer', 'dialog[open]');
  await page.keyboard.press('Escape');
  await expect(receipt(page).getByRole('button', { name: 'Ver oferta' })).toBeFocused();
  await accept(receipt(page));
  await expect(receipt(page)).toContainText('Aceptada · guardada en este teléfono');
  expect(await opensSheet(page, receipt(page))).toContain('Guardada en este teléfono');

  await context.setOffline(false);
  const acceptance = sheet(ana).getByRole('listitem').filter({ hasText: 'Aceptó US $1,215.30 por un embarque' });
  await seesSoon(ana, acceptance);
  const filed = await opensSheet(ana, sheet(ana));
  for (const words of ['Aceptada el', 'Recibida el']) expect(filed).toContain(words);
  await askNow(page);
  // The acceptance moves the button "Ver oferta" into a section. The dialog that this button opened stays open.
  await expect(page.locator('article details button', { hasText: 'Ver oferta' })).toBeAttached();
  expect(await offerSheet(page).locator('[data-body]').innerText()).toBe(filed);
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await page.setViewportSize(LETTER);
  await offerSheet(page).evaluate(hideWhatVaries);
  await expect(page).toHaveScreenshot('offer-letter.png', PICTURE);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
  expect(pdf.toString('latin1')).toMatch(/\/MediaBox \[0 0 612 792\]/);
});

/** Size of letter paper in CSS pixels. */
const LETTER = { width: 816, height: 1056 };

/** Replaces values that are different in each run: folio, figures, months and the QR code. */
function hideWhatVaries(dialog: HTMLElement | SVGElement): void {
  const texts = document.createTreeWalker(dialog, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode as Text;
    text.data = text.data
      .replaceAll(/AP-\w{4}-\w{4}/g, 'AP-0000-0000')
      .replaceAll(/\d+/g, '0')
      .replaceAll(
        / de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|diciembre) /g,
        ' de noviembre ',
      )
      .replaceAll(
        /0 (?:January|February|March|April|May|June|July|August|September|October|December) /g,
        '0 November ',
      );
  }
  dialog.querySelector('svg path')?.remove();
}

test('a withdrawn offer cannot be accepted, and says why', { tag: '@full' }, async ({ page, context, service }) => {
  const sent = await asks(page, service);
  const ana = await deskAt(page, service, sent.folio);
  await offers(ana, '4.10');
  await askNow(page);
  await receipt(page).getByRole('button', { name: 'Aceptar' }).click();
  await expect(receipt(page).getByRole('alertdialog', { name: /US \$4\.10/ })).toBeVisible();
  // The desk changes the price while the customer is asked to confirm the first offer.
  await offers(ana, '4.00');
  await askNow(page);
  await expect(receipt(page)).toContainText('US $4.00 por kilo');
  await expect(receipt(page).getByRole('alertdialog')).toHaveCount(0);
  await expect(receipt(page).getByRole('button', { name: 'Preguntar' })).toBeFocused();
  await context.setOffline(true);
  await accept(receipt(page));
  await expect(receipt(page)).toContainText('Aceptada · guardada en este teléfono');
  await press(ana, 'Retirar la oferta');
  await field(ana, '¿Por qué?').fill('el vuelo se llenó');
  await ana.keyboard.press('Enter');
  await expect(sheet(ana).getByText(/Ana Ruiz retiró la oferta/)).toBeVisible();
  await context.setOffline(false);
  await askNow(page);
  await expect(receipt(page)).toContainText('Esa oferta ya se había retirado; le respondemos antes de las');
  await expect(receipt(page)).toContainText('retirada: el vuelo se llenó');
  await seesSoon(ana, sheet(ana).getByText('ya se había retirado: sin efecto'));
  // The message for WhatsApp does not contain the withdrawn price.
  expect(await sheet(ana).getByRole('link', { name: 'WhatsApp' }).getAttribute('href')).not.toMatch(/4\.[01]0/);
});

test('the desk previews a typed offer; Enter sends nothing', { tag: '@full' }, async ({ page, service }) => {
  const sent = await asks(page, service);
  const ana = await deskAt(page, service, sent.folio);
  const preview = sheet(ana).getByRole('region', { name: `Así lo verá ${sent.nombre}` });
  await expect(preview).toContainText('tarifa todo incluido');
  await ana.getByLabel('Precio').fill('4.10');
  await ana.getByLabel('Vigencia').fill('2099-11-28');
  await expect(preview).toContainText(
    /US \$4\.10 por kilo, para [\d,]+ kg al mes · válida hasta el 28 de noviembre de 2099/,
  );
  await expect(sheet(ana).getByText('≈ US $')).toBeVisible();
  await ana.getByLabel('Precio').press('Enter');
  expect(await service.rowsAbout('quote_replies', sent.id)).toEqual([]);
  await stands(ana, 'Nueva', 'Sin asignar');
  await expectNoFinding(ana, 'the preview', 'article');
  await saveAnswer(ana);
  await expect(sheet(ana).getByText('Sin ver todavía')).toBeVisible();
  const whatsapp = decodeURIComponent((await sheet(ana).getByRole('link', { name: 'WhatsApp' }).getAttribute('href'))!);
  expect(whatsapp).toMatch(/US \$4\.10 por kilo, para [\d,]+ kg al mes · válida hasta el 28 de noviembre de 2099/);
  expect(whatsapp).toContain(
    `Para aceptarla, abra nuestra página en el teléfono con el que envió la solicitud ${sent.folio}`,
  );
});

test('the desk marks acceptances without a stored offer as unproven', { tag: '@full' }, async ({ page, service }) => {
  const sent = await sendQuote(service);
  const body = '0.01 USD / kilo · 90000 kg';
  const entregada = new Date(Date.now() - 60_000).toISOString();
  const claim = { id: randomUUID(), quote_id: sent.id, answer_id: randomUUID(), kind: 'aceptada', body, entregada };
  await sayAsPhone(service, 'quote_replies', 'id', claim);
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await bringIntoView(page, sent);
  await expect(row(page, sent)).toContainText('Dice que aceptó');
  await openLead(page, sent);
  await expect(sheet(page).locator('header')).toContainText('Dice que aceptó');
  const claimed = sheet(page).getByRole('listitem').filter({ hasText: body });
  await expect(claimed).toContainText(
    /Dice que aceptó una oferta que no está registrada · recuperada del teléfono · sin efecto/,
  );
  await expect(claimed).toContainText('Según el teléfono del cliente, decía:');
  await expectNoFinding(page, 'a claimed acceptance', 'article');
});
