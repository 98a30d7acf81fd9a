import type { CDPSession, Page } from '@playwright/test';
import { expectUsable, OF_A_STATE } from './accessible.ts';
import { drawOnly, throughEveryState } from './every-state.ts';
import { findMisfits } from './layout.ts';
import { expect, type Fixtures, openAll, test, withoutWorker } from './visitor.ts';
import { agreed, callButton, connect, says, test as voiceTest, widget } from './voice-visitor.ts';

test.use(withoutWorker);

// No face of a machine decides: every state of every page, at every width, with text at twice its size too. Each set of
// faces is a project of playwright.config.ts, and the only one that the browser finds (tests/fonts).

const WIDTHS = [320, 360, 390, 640, 768, 1440];

for (const each of [test, voiceTest]) each.use({ contextOptions: { reducedMotion: 'reduce' } });

const isOwn = () => test.info().project.name === 'own';

async function chooseFace(page: Page, quiet: Fixtures['quiet']): Promise<void> {
  quiet.allow(/Failed to load resource/);
  if (!isOwn()) await page.route('**/*.woff2', (route) => route.abort());
}

test('every document holds', async ({ page, quiet }) => {
  await chooseFace(page, quiet);
  for (const path of ['/', '/privacidad.html', '/terminos.html', '/404.html', '/?icon-designer', '/?vapi-icon']) {
    await page.goto(path);
    if (path.startsWith('/?')) await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await openAll(page.locator('#preguntas details'));
    await holds(page, path);
  }
});

test('every state of a quote holds; nothing moves, a thumb hits what it presses, forced colours and axe find nothing', async ({
  page,
  quiet,
  service,
}) => {
  await chooseFace(page, quiet);
  let within = 'html';
  await throughEveryState(page, service, async (state) => {
    await holds(page, state);
    // Once: what it looks at has nothing to do with the typeface.
    if (test.info().project.name === 'wide') await expectUsable(page, state, within);
    within = OF_A_STATE;
  });
});

voiceTest('every state of a call holds', async ({ page, quiet, voice }) => {
  await chooseFace(page, quiet);
  await agreed(page);
  await page.goto('/');
  await drawOnly(page);
  await expect(widget(page).getByText('Preguntas?')).toBeVisible();
  await holds(page, 'teaser');
  await connect(page);
  await says(page, { type: 'transcript', role: 'assistant', transcriptType: 'final', transcript: '¿Qué carga?' });
  await holds(page, 'connected');
  await callButton(page).click();
  voice.manner = 'refuses';
  await callButton(page).click();
  await expect(widget(page).getByRole('group')).toBeVisible();
  await holds(page, 'refused');
});

async function holds(page: Page, state: string): Promise<void> {
  if (isOwn()) {
    // As from the second visit on.
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
    for (const width of WIDTHS) {
      await setWidth(client, width);
      for (const misfit of await page.evaluate(findMisfits)) found.push(`${width} px, ${percent} %: ${misfit}`);
    }
  }
  await setTextSize(client, 100);
  await setWidth(client, viewport.width);
  await client.detach();
  expect.soft(found, state).toEqual([]);
}

/** Without waiting for a picture of it. */
const setWidth = (client: CDPSession, width: number) =>
  client.send('Emulation.setDeviceMetricsOverride', { width, height: 740, deviceScaleFactor: 1, mobile: false });

/** As set in the browser's own settings: media queries in rem follow it. */
const setTextSize = (client: CDPSession, percent: number) =>
  client.send('Page.setFontSizes', { fontSizes: { standard: 16 * (percent / 100) } });
