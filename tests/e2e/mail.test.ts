import { simpleParser } from 'mailparser';
import { openMailServer } from '../integration/mail-server.ts';
import { hasDovecot, openMailbox } from '../integration/mailbox-server.ts';
import { expectNoFinding } from './accessible.ts';
import {
  hireForLong,
  openDesk,
  openLead,
  openNewLead,
  press,
  saveAnswer,
  seesSoon,
  sendQuote,
  sheet,
  writeAnswer,
} from './desk-visitor.ts';
import { PRICED, tray } from './every-state.ts';
import { elsewhere, askNow, DESKTOP, expect, receipt, sent, sharedBy, test as base, unfold } from './visitor.ts';

/** Test with a server that mails customers, and reads their replies from a real mailbox if the machine has Dovecot. */
const test = base.extend<
  {},
  { mail: Awaited<ReturnType<typeof openMailServer>>; box: Awaited<ReturnType<typeof openMailbox>> | undefined }
>({
  mail: sharedBy(openMailServer, (mail) => mail.close()),
  box: sharedBy(
    async () => (hasDovecot ? openMailbox() : undefined),
    (box) => box?.close(),
  ),
  environment: [
    ({ mail, box }, use) =>
      use({ SMTP_URL: mail.url, MAIL_FROM: 'ventas@carga.example', ...(box && { IMAP_URL: box.url }) }),
    { scope: 'worker' },
  ],
});
test.beforeEach(({ quiet, mail }) => {
  quiet.allow(/Failed to load resource/);
  mail.mails.length = 0;
});

test('a customer opens the offer from the link in a mail, and stops further mail', async ({ page, service, mail }) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  await service.answer(id, { ...PRICED, body: 'Sale el jueves.' });
  await expect.poll(() => mail.mails.length, { timeout: 15_000 }).toBe(1);
  const { text } = await simpleParser(mail.mails[0]!);
  const link = /https?:\S+#ver=\S+/.exec(text!)![0];

  const other = await elsewhere(page);
  await other.goto(`/${new URL(link).hash}`);
  await tray(other).getByRole('button', { name: 'Sí, ver aquí' }).click();
  await expect(other.locator('body')).toContainText('US $4.10');

  await askNow(page);
  await unfold(page);
  const stop = receipt(page).getByRole('button', { name: 'Dejar de recibir correos' });
  await stop.focus();
  await page.keyboard.press('Enter');
  await expect(receipt(page).locator('[role=status]:focus')).toContainText('Ya no recibirá correos');
  expect(await service.rowsAbout('mail_stops', id)).toHaveLength(1);
  await service.answer(id, { kind: 'mensaje', body: 'Buen viaje.' });
  await askNow(page);
  await expect(receipt(page)).toContainText('Buen viaje.');
  expect(mail.mails).toHaveLength(1);
});

test.describe('mail that the server receives', () => {
  test.use({ viewport: DESKTOP });
  test.skip(!hasDovecot, 'Dovecot is not on this machine (dovecot-imapd).');

  test('desk and customer speak by mail; the customer never opens the page', async ({ page, service, mail, box }) => {
    const { id } = await openNewLead(page, service);
    const { email } = await service.quoteRow(id);
    await writeAnswer(page, 'Pregunta', '¿Con pallet?');
    await saveAnswer(page);
    await expect.poll(() => mail.mails.length, { timeout: 20_000 }).toBe(1);
    const question = await simpleParser(mail.mails[0]!);
    expect(question.text).toMatch(/^— Responda arriba de esta línea —/);
    box!.deliver(
      [
        `From: Cliente <${String(email)}>`,
        `To: ${question.replyTo!.text}`,
        `Subject: Re: ${question.subject!}`,
        'Message-ID: <1@cliente.mx>',
        `In-Reply-To: ${question.messageId!}`,
        'Content-Type: text/html; charset=utf-8',
        '',
        '<p>Sí, <b>con pallet</b>.</p><img src="https://cliente.mx/espia.png"><blockquote>¿Con pallet?</blockquote>',
      ].join('\r\n'),
    );
    await seesSoon(page, sheet(page).getByText('Sí, con pallet.', { exact: true }));
    await expect(sheet(page).getByText(`por correo de ${String(email)}`)).toBeVisible();
    await writeAnswer(page, 'Mensaje', 'Queda apuntado.');
    await saveAnswer(page);
    await expect(sheet(page).getByRole('listitem').filter({ hasText: 'Queda apuntado.' })).toBeVisible();
    expect(await service.rowsAbout('quote_replies', id)).toMatchObject([{ kind: 'pregunta', body: 'Sí, con pallet.' }]);
  });

  test('a colleague assigns a mail to a request, discards it, or makes a request', async ({ page, service, box }) => {
    const lead = await sendQuote(service);
    const { folio } = lead;
    const write = (subject: string, text: string) =>
      box!.deliver(
        `From: =?utf-8?q?Laura_Pe=C3=B1a?= <laura@mar.mx>\r\nSubject: ${subject}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}`,
      );
    write(`Re: ${folio}`, 'Soy su socia. ¿Ya salió?');
    write('Langosta', 'Cotizar 800 kg de langosta al mes. Mi teléfono es 664 123 4567.');
    await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
    await openLead(page, lead);
    const line = (count: string) => page.getByRole('button', { name: `${count} por asignar` });
    await seesSoon(page, line('2 mensajes'));
    await line('2 mensajes').focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Por asignar' });
    await expect(dialog).toContainText('Laura Peña · laura@mar.mx');
    await expectNoFinding(page);
    const message = dialog.getByRole('listitem').filter({ hasText: 'Soy su socia' });
    await message.getByRole('button', { name: 'Descartar' }).click();
    await expect(dialog.getByRole('button', { name: 'Deshacer' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(message.getByRole('button', { name: 'Descartar' })).toBeFocused();
    await dialog.getByRole('button', { name: `Asignar a ${folio}` }).click();
    await expect(sheet(page).getByText('Soy su socia. ¿Ya salió?')).toBeVisible();
    await expect(dialog).toBeHidden();

    await line('1 mensaje').click();
    await press(page, 'Registrar como nueva');
    const form = page.getByRole('dialog', { name: 'Nueva solicitud' });
    await expect(form.getByLabel('Nombre', { exact: true })).toHaveValue('Laura Peña');
    await expect(form.getByLabel('Email')).toHaveValue('laura@mar.mx');
    await form.getByRole('button', { name: 'Registrar y tomar' }).click();
    await expect(sheet(page)).toContainText('Cotizar 800 kg de langosta');
    await expect(sheet(page)).toContainText('por correo de laura@mar.mx');
    await expect(line('1 mensaje')).toHaveCount(0);
  });
});
