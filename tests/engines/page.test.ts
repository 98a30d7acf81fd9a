import { points } from '../../src/content/points.ts';
import { arrives, ask, workerIsReady } from './asking.ts';
import { expect, polled, sees, test } from './visit.ts';

const approachMap = () =>
  document.querySelector('#red-logistica header + div')!.scrollIntoView({ behavior: 'instant', block: 'center' });

test('the page opens, hydrates every island, and writes no console message', async ({ tab, note }) => {
  await tab.goto('/');
  await sees(tab, 'h1', 'Reserva tu espacio hoy');
  const drawn = () => tab.evaluate(() => document.querySelector<SVGGraphicsElement>('#hero use')?.getBBox().width ?? 0);
  await polled(drawn).toBeGreaterThan(700);
  const asleep = () =>
    tab.evaluate(() => {
      const islands = document.querySelectorAll('[data-island]:not([data-awake], [data-island=voice])');
      // The island of the form has no layout box, so the test scrolls to the island’s first child.
      const place = [islands[0], islands[0]?.firstElementChild].find((element) => element?.getClientRects().length);
      place?.scrollIntoView({ behavior: 'instant', block: 'center' });
      return islands.length;
    });
  await polled(asleep).toBe(0);
  if (!tab.consoleLines) note('its console cannot be read');
  expect(tab.consoleLines ?? []).toEqual([]);
});

test('the page loads a script again, in the same visit, if it failed to load', async ({ tab, service }) => {
  const first: Record<string, number> = {};
  service.lost = {
    test(address) {
      const [part] = /\/assets\/(index|form|react|after-load)-/.exec(address) ?? [];
      return part !== undefined && Date.now() < (first[part] ??= Date.now()) + 2500;
    },
  };
  await tab.goto('/');
  await arrives(service, await ask(tab));
  await workerIsReady(tab);
  expect(Object.keys(first)).toHaveLength(4);
  service.lost = undefined;
});

test('the map shows every point and route, and describes the point that was pressed', async ({ tab }) => {
  await tab.goto('/');
  for (const { code, name } of points) await sees(tab, '#red-logistica li', `${code} ${name}`);
  await tab.evaluate(approachMap);
  await sees(tab, '#red-logistica .leaflet-marker-icon[role=button]', '', { times: 9 });
  const lines = () => tab.evaluate(() => document.querySelectorAll('#red-logistica .leaflet-overlay-pane path').length);
  await polled(lines).toBe(20 + 3);
  await tab.click('#red-logistica .leaflet-marker-icon', 'PEK');
  await sees(tab, '#red-logistica .leaflet-popup', 'Beijing');
  await tab.press('Escape');
  await sees(tab, '#red-logistica .leaflet-popup', '', { times: 0 });
});
