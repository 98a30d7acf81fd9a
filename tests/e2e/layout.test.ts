import type { CDPSession, Page } from '@playwright/test';
import { expectAccessibleAt, expectNoFinding, expectUsable, OF_A_STATE } from './accessible.ts';
import { bringIntoView, hireForLong, openDesk, openLead, press, sendQuote } from './desk-visitor.ts';
import { drawOnly, WALKS } from './every-state.ts';
import { findMisfits } from './layout.ts';
import { DESKTOP, expect, type Fixtures, openAll, PHONE, test } from './visitor.ts';
import { callButton, openAtRest, pill, says, sounds, tell, test as voiceTest, widget } from './voice-visitor.ts';

// Measures every state of every page at every width, also with text at twice its size. Each project of
// playwright.config.ts gives the browser a different set of fonts (tests/fonts).

/** Returns the widths to measure: a few in `npm test`, all in `npm run test:full`. */
const widthsOf = (percent: number) => {
  if (test.info().project.name !== 'wide') return [320, 360, 390, 640, 768, 1440];
  return percent === 100 ? [320, 768, 1440] : [320];
};

for (const each of [test, voiceTest]) each.use({ contextOptions: { reducedMotion: 'reduce' } });

/** Returns the screen sizes for axe: a phone in `npm test`, also a desktop in `npm run test:full`. */
const lookedAt = () => ({ wide: [PHONE], narrow: [DESKTOP], rest: [DESKTOP, PHONE] })[test.info().project.name] ?? [];
const isOwn = () => test.info().project.name === 'own';

async function chooseFace(page: Page, quiet: Fixtures['quiet']): Promise<void> {
  quiet.allow(/Failed to load resource/);
  if (!isOwn()) await page.route('**/*.woff2', (route) => route.abort());
}

const DOCUMENTS = ['/', '/privacidad.html', '/terminos.html', '/404.html'];
const INTERNAL = ['/?icon-designer', '/?vapi-icon'];

for (const path of [...DOCUMENTS, ...INTERNAL]) {
  const title = `no text of ${path} is cut off or outside the screen, and axe finds no fault`;
  test(title, { tag: INTERNAL.includes(path) ? ['@layout', '@full'] : '@layout' }, async ({ page, quiet }) => {
    await chooseFace(page, quiet);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await openAll(page.locator('#preguntas details'));
    await holds(page, path);
    await expectAccessibleAt(page, lookedAt(), path, 'html');
  });
}

test('axe finds no accessibility fault in the map', async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await page.goto('/');
  await page.locator('#red-logistica header + div').evaluate((sheet) => sheet.scrollIntoView({ behavior: 'instant' }));
  for (const code of ['CGO', 'SZX']) {
    await page.locator('.leaflet-container').getByRole('button', { name: code }).focus();
    await expectAccessibleAt(page, lookedAt(), code, '#red-logistica');
  }
});

test('no state of the desk is wider than the screen or has an accessibility fault', async ({ page, service }) => {
  const look = async (what: string, within?: string) => {
    for (const viewport of lookedAt()) {
      await page.setViewportSize(viewport);
      await expectNoFinding(page, `${what} at ${viewport.width} px`, within);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
    }
  };
  const sent = await sendQuote(service);
  await page.goto('/mesa.html');
  await expect(page.getByLabel('Contraseña')).toBeVisible();
  await look('sign-in');
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await bringIntoView(page, sent);
  await look('list');
  await openLead(page, sent);
  await look('lead');
  await page.keyboard.press('Escape');
  await press(page, '+ Nueva');
  await look('a new lead', 'dialog');
});

for (const [what, walk] of Object.entries(WALKS))
  test(`no text of ${what} is cut off or outside the screen in any state`, async ({ page, quiet, service }) => {
    await chooseFace(page, quiet);
    let within = 'html';
    await walk(page, service, async (state) => {
      await holds(page, state);
      if (lookedAt().includes(PHONE)) await expectUsable(page, state);
      await expectAccessibleAt(page, lookedAt(), state, within);
      within = OF_A_STATE;
    });
  });

voiceTest(
  'no text of a call is cut off or outside the screen',
  { tag: ['@layout', '@full'] },
  async ({ page, context, quiet, voice }) => {
    quiet.allow(/ERR_INTERNET_DISCONNECTED|ingest\.sentry\.io/);
    await chooseFace(page, quiet);
    const look = async (state: string) => {
      await holds(page, state);
      if (lookedAt().includes(PHONE)) await expectUsable(page, state);
      await expectAccessibleAt(page, lookedAt(), state, '[data-island=voice]');
    };
    const button = callButton(page);
    await openAtRest(page);
    await drawOnly(page);
    await page.clock.runFor(4100);
    await expect(widget(page).getByText('¿Necesita soporte?')).toBeVisible();
    await holds(page, 'hint and teaser');
    await page.clock.resume();
    await button.click();
    await look('consent');
    await context.setOffline(true);
    await expect(button).toHaveAccessibleName(/necesita conexión/);
    await button.click();
    const offline = widget(page).getByRole('group', { name: /necesita conexión/ });
    await expect(offline).toBeVisible();
    await look('offline');
    await context.setOffline(false);
    await expect(offline).toHaveCount(0);
    voice.manner = 'hangs';
    await button.click();
    await widget(page).getByRole('button', { name: 'Aceptar y llamar' }).click();
    await expect(pill(page)).toContainText('Conectando…');
    await look('initializing');
    voice.answer();
    await expect(pill(page)).toContainText('IA Activa');
    const sentence = { type: 'transcript', role: 'user', transcriptType: 'final', transcript: 'Hola' };
    await says(page, sentence, { ...sentence, transcriptType: 'partial', transcript: 'Quisiera' });
    await look('connected');
    await says(page, { type: 'speech-update', role: 'user', status: 'started' });
    await expect(pill(page)).toContainText('Escuchando...');
    await look('listening');
    await sounds(page, 0.1);
    await expect(pill(page)).toContainText('IA hablando...');
    await look('speaking');
    await tell(page, { action: 'error', errorMsg: 'roto', error: { type: 'no-room', msg: 'roto' } });
    await expect(widget(page).getByRole('group', { name: 'La llamada falló.' })).toContainText('Error: roto');
    await look('failed');
  },
);

async function holds(page: Page, state: string): Promise<void> {
  if (isOwn()) {
    // The browser draws our own typeface from the second visit on.
    await page.evaluate(async () => {
      document.documentElement.dataset['ownFace'] = '';
      await document.fonts.load('600 1em "Barlow Condensed"');
    });
  }
  const client = await page.context().newCDPSession(page);
  const viewport = page.viewportSize()!;
  const found: string[] = [];
  for (const percent of [100, 200]) {
    await setTextSize(client, percent);
    for (const width of widthsOf(percent)) {
      await setWidth(client, width);
      for (const misfit of await page.evaluate(findMisfits)) found.push(`${width} px, ${percent} %: ${misfit}`);
    }
  }
  await setTextSize(client, 100);
  await setWidth(client, viewport.width);
  await client.detach();
  expect.soft(found, state).toEqual([]);
}

/** Sets the width of the screen, without waiting until the browser has drawn the page. */
const setWidth = (client: CDPSession, width: number) =>
  client.send('Emulation.setDeviceMetricsOverride', { width, height: 740, deviceScaleFactor: 1, mobile: false });

/** Sets the text size in the browser’s settings, which changes media queries in rem. */
const setTextSize = (client: CDPSession, percent: number) =>
  client.send('Page.setFontSizes', { fontSizes: { standard: 16 * (percent / 100) } });
