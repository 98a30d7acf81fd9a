import { simpleParser } from 'mailparser';
import { openMailServer } from '../integration/mail-server.ts';
import { PRICED, tray } from './every-state.ts';
import { askNow, expect, PHONE, receipt, sent, test as base, unfold, withoutWorker } from './visitor.ts';

/** Test with a server that sends mail to customers through the test’s own mail server. */
const test = base.extend<{}, { mail: Awaited<ReturnType<typeof openMailServer>> }>({
  mail: [
    async ({}, use) => {
      const mail = await openMailServer();
      await use(mail);
      await mail.close();
    },
    { scope: 'worker' },
  ],
  environment: [({ mail }, use) => use({ SMTP_URL: mail.url, MAIL_FROM: 'ventas@carga.example' }), { scope: 'worker' }],
});
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

test('a customer opens the offer from the link in a mail, and stops all further mail', async ({
  page,
  browser,
  service,
  mail,
}) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  await service.answer(id, { ...PRICED, body: 'Sale el jueves.' });
  await expect.poll(() => mail.mails.length, { timeout: 15_000 }).toBe(1);
  const { text } = await simpleParser(mail.mails[0]!);
  const link = /https?:\S+#ver=\S+/.exec(text!)![0];

  const other = await (await browser.newContext({ viewport: PHONE, locale: 'es-MX', ...withoutWorker })).newPage();
  await other.goto(`${service.origin}/${new URL(link).hash}`);
  await tray(other).getByRole('button', { name: 'Sí, ver aquí' }).click();
  await expect(other.locator('body')).toContainText('US $4.10');
  await other.context().close();

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
