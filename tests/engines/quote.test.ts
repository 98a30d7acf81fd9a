import { ask, folio, leaveWaiting, openWithWorker, reopenWithServerDead, RECEIPT } from './asking.ts';
import { expect, polled, sees, test } from './visit.ts';

const WAY_BACK = '.way';
const LIST = 'dialog[open]';

test('a valid quote is shown as "entregada" with its folio, and is stored once', async ({ tab, service }) => {
  await tab.goto('/');
  const nombre = await ask(tab);
  // On a slow machine the form may stop waiting for the server, and then says only that the phone has stored the quote.
  await polled(() =>
    tab.evaluate(() => [...document.querySelectorAll('[role=status]')].map((e) => e.textContent).join()),
  ).toMatch(
    /Su informacion ha sido enviada exitosamente! Te contactaremos brevemente\.|Guardamos su solicitud en este/,
  );
  await sees(tab, RECEIPT, 'entregada');
  expect(await service.rowsOf(nombre)).toMatchObject([
    { folio: await folio(tab), email: /^ventas\S+@berries\.mx$/, peso: 12500, tipo_carga: 'perecederos' },
  ]);
  expect(tab.consoleLines ?? []).toEqual([]);
});

test('a quote submitted while the server is down is delivered when the server is back', async ({ tab, service }) => {
  await openWithWorker(tab);
  await reopenWithServerDead(tab, service);
  const nombre = await ask(tab);
  await sees(tab, RECEIPT, 'en espera');
  await sees(
    tab,
    '[role=status]',
    'Guardamos su solicitud en este teléfono. Se enviará automáticamente en cuanto haya señal.',
  );
  const shownFolio = await folio(tab);

  await tab.reload();
  await tab.click(WAY_BACK, 'en espera');
  await sees(tab, `${LIST} ${RECEIPT}`, shownFolio);
  await sees(tab, `${LIST} ${RECEIPT}`, 'en espera');

  await service.up();
  await service.lineUp();
  await sees(tab, `${LIST} ${RECEIPT}`, 'entregada');
  expect(await service.rowsOf(nombre)).toMatchObject([{ folio: shownFolio }]);
});

test('the receipt warns if this browser sends nothing while the page is closed', async ({ tab, service }) => {
  await openWithWorker(tab);
  await leaveWaiting(tab, service, 1);
  const isSentClosed = await tab.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const { sync } = registration as { sync?: { register(tag: string): Promise<void> } };
    return (
      sync?.register('quotes').then(
        () => true,
        () => false,
      ) ?? false
    );
  });
  const sentence = `${RECEIPT} [role=status] p`;
  const notices = () =>
    tab.evaluate(
      (selector) =>
        [...document.querySelectorAll(selector)].filter((line) =>
          line.textContent.includes('abra esta página de nuevo'),
        ).length,
      sentence,
    );
  await polled(notices).toBe(isSentClosed ? 0 : 1);
});
