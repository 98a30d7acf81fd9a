import {
  ask,
  folio,
  leaveWaiting,
  openWithWorker,
  reopenWithServerDead,
  RECEIPT,
  workerIsReady,
  write,
} from './asking.ts';
import { expect, polled, sees, test } from './visit.ts';

const CHIP = 'button:not(dialog button)';
const LIST = 'dialog[open]';

test('a good quote ends as entregada with its folio, and is stored once', async ({ tab, service }) => {
  await tab.goto('/');
  const nombre = await ask(tab);
  // A disk that takes seconds, as on the slowest machines, leaves the form no time to wait for the server.
  await polled(() =>
    tab.evaluate(() => [...document.querySelectorAll('[role=status]')].map((e) => e.textContent).join()),
  ).toMatch(
    /Su informacion ha sido enviada exitosamente! Te contactaremos brevemente\.|Guardamos su solicitud en este/,
  );
  await sees(tab, RECEIPT, 'entregada');
  expect(await service.rowsOf(nombre)).toMatchObject([
    { folio: await folio(tab), email: /^ventas\S+@berries\.mx$/, peso: 12500, tipo_carga: 'perecederos' },
  ]);
  expect(tab.said ?? []).toEqual([]);
});

test('with the server dead it opens, takes a quote and keeps it, and delivers it once when the server is back', async ({
  tab,
  service,
}) => {
  await openWithWorker(tab);
  await reopenWithServerDead(tab, service);
  const nombre = await ask(tab);
  await sees(tab, RECEIPT, 'en espera');
  await sees(tab, '[role=status]', 'Guardamos su solicitud en este teléfono. Se enviará sola en cuanto haya señal.');
  const kept = await folio(tab);

  await tab.reload();
  await tab.click(CHIP, '1 en espera');
  await sees(tab, `${LIST} ${RECEIPT}`, kept);
  await sees(tab, `${LIST} ${RECEIPT}`, 'en espera');

  await service.up();
  await service.lineUp();
  await sees(tab, `${LIST} ${RECEIPT}`, 'entregada');
  expect(await service.rowsOf(nombre)).toMatchObject([{ folio: kept }]);
});

test('the receipt says that nothing is sent with the page closed, exactly where that is so', async ({
  tab,
  service,
}) => {
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
  const said = () =>
    tab.evaluate(
      (selector) =>
        [...document.querySelectorAll(selector)].filter((line) =>
          line.textContent.includes('abra esta página de nuevo'),
        ).length,
      sentence,
    );
  await polled(said).toBe(isSentClosed ? 0 : 1);
});

test('who saves data and only looks gets no worker; who writes gets one, with which the page opens, and takes a quote, when the server is dead', async ({
  tab,
  service,
}) => {
  await tab.goto('/privacidad.html');
  await tab.evaluate(() => localStorage.setItem('aeropuente.data-saver', 'on'));
  await tab.goto('/');
  // What would start it has run by then, and begins with a cache for who saves data.
  await sees(tab, 'nav [aria-current]');
  const started = () =>
    Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()]).then((all) => all.flat().length);
  expect(await tab.evaluate(started)).toBe(0);
  await write(tab, { nombre: 'María' });
  await workerIsReady(tab);
  await reopenWithServerDead(tab, service);
  const nombre = await ask(tab);
  await sees(tab, RECEIPT, 'en espera');
  await service.up();
  await service.lineUp();
  await sees(tab, RECEIPT, 'entregada');
  // What is typed stands behind what the draft has brought back by then.
  const names = (await service.quotes()).map((quote) => quote.nombre).filter((name) => name.endsWith(nombre));
  expect(names).toHaveLength(1);
});

test('with the server dead the same again is asked for, what is shipped is said and shown, and all of it arrives once when it is back', async ({
  tab,
  service,
}) => {
  await openWithWorker(tab);
  const nombre = await ask(tab);
  await sees(tab, RECEIPT, 'entregada');
  const first = await folio(tab);
  await reopenWithServerDead(tab, service);
  await tab.goto('/#mis-cotizaciones');
  await tab.click(`${LIST} button`, 'Otra igual');
  await tab.click(`${LIST} button`, 'Sí, pedir otra');
  await sees(tab, `${LIST} ${RECEIPT}`, 'en espera');
  // Of the newest, which stands first.
  await tab.click(`${LIST} button`, 'Detalles del embarque');
  await tab.type(`${LIST} form input[list]`, 'Fresas');
  await tab.click(`${LIST} button`, 'Guardar detalles');
  await sees(tab, `${LIST} ${RECEIPT}`, 'Detalles guardados en este teléfono');
  await tab.evaluate((list) => {
    const input = document.querySelector<HTMLInputElement>(`${list} input[type=file]`)!;
    const files = new DataTransfer();
    files.items.add(new File(['%PDF-1.7', new Uint8Array(100_000)], 'lista.pdf', { type: 'application/pdf' }));
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }, LIST);
  await sees(tab, `${LIST} ${RECEIPT}`, 'va detrás de la solicitud');
  await service.up();
  await service.lineUp();
  await sees(tab, `${LIST} ${RECEIPT}`, 'Detalles entregados');
  const again = (await service.rowsOf(nombre)).filter(({ folio: each }) => each !== first);
  expect(again).toMatchObject([{ igual: first }]);
  expect(await service.said('quote_details', again[0]!.id)).toMatchObject([{ producto: 'Fresas' }]);
  await polled(async () => (await service.files(again[0]!.id)).map(({ whole }) => whole), 'lista.pdf').toEqual([true]);
  expect((await service.files(again[0]!.id))[0]!.content).toHaveLength(100_008);
});
