import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { askNow } from './visitor.ts';
import {
  agreed,
  callButton,
  carry,
  connect,
  expect,
  idle,
  microphone,
  pill,
  says,
  tell,
  test,
  widget,
} from './voice-visitor.ts';

const stop = (page: Page) => widget(page).getByRole('button', { name: 'Terminar End', exact: true });
const announced = (page: Page) => widget(page).getByRole('status');
const visitorSpeaks = (page: Page, ...statuses: ('started' | 'stopped')[]) =>
  says(page, ...statuses.map((status) => ({ type: 'speech-update', role: 'user', status })));

/** Records the fetched scripts of the voice call library, and the requests to other hosts. */
function watch(page: Page) {
  const scripts: string[] = [];
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (/\/vapi-/.test(url.pathname) && request.resourceType() === 'fetch') scripts.push(url.pathname);
    if (url.hostname !== 'localhost') elsewhere.push(url.href);
  });
  return { scripts, elsewhere };
}

async function open(page: Page): Promise<void> {
  await page.goto('/');
  await expect(callButton(page)).toBeVisible();
}

test('a visitor starts a voice call, mutes the microphone, ends the call, and calls again', async ({ page, voice }) => {
  await agreed(page);
  const { scripts, elsewhere } = watch(page);
  await open(page);
  await page.waitForLoadState('networkidle');
  expect([scripts, elsewhere]).toEqual([[], []]);

  await connect(page);
  expect(voice.asked).toEqual([{ authorization: 'Bearer llave-publica', body: { assistantId: 'asistente' } }]);
  expect(scripts).toHaveLength(1);
  expect(elsewhere).toEqual([
    'http://voice.localhost/call/web',
    'https://c.daily.co/call-machine/versioned/0.87.0/static/call-machine-object-bundle.js',
  ]);
  await expect(pill(page)).toContainText('IA Activa');
  await expect(callButton(page).locator('[data-appearance]')).toHaveAttribute('data-appearance', 'active');

  const mute = widget(page).getByRole('button', { name: 'Silenciar micrófono' });
  await expect(mute).toHaveAttribute('aria-pressed', 'false');
  await mute.click();
  await expect(mute).toHaveAttribute('aria-pressed', 'true');
  await expect.poll(() => microphone(page)).toEqual({ state: 'live', open: false });
  await mute.click();
  await expect.poll(() => microphone(page)).toEqual({ state: 'live', open: true });

  const log = widget(page).getByRole('log', { name: 'Transcripción' });
  const spoken = { type: 'transcript', role: 'assistant', transcriptType: 'final', transcript: '¿En qué le ayudo?' };
  await says(page, { ...spoken, transcript: 'Y llega el miércoles. '.repeat(60) });
  const top = () => log.evaluate(({ scrollTop }) => scrollTop);
  await expect.poll(top).toBeGreaterThan(0);
  // The transcript does not scroll down by itself after the visitor has scrolled up.
  await log.evaluate((element) => {
    const scrolled = new Promise((resolve) => element.addEventListener('scroll', resolve, { once: true }));
    element.scrollTo({ top: 0 });
    return scrolled.then(() => undefined);
  });
  await says(page, spoken);
  await expect(log).toContainText('¿En qué le ayudo?');
  expect(await top()).toBe(0);

  // The transcript stays after the call until the visitor closes it.
  await stop(page).click();
  await expect(pill(page)).toHaveCount(0);
  await expect(announced(page)).toContainText('Llamada terminada');
  await expect(callButton(page)).toBeFocused();
  await expect.poll(() => microphone(page)).toMatchObject({ state: 'ended' });
  await expectAccessible(page, 'after a call', '[data-island=voice]');
  await widget(page).getByRole('button', { name: 'Cerrar Close' }).click();
  await expect(log).toHaveCount(0);

  await connect(page);
  await callButton(page).click();
  await expect(callButton(page)).toHaveAccessibleName(/^Hable con nuestra IA/);
  expect(voice.asked).toHaveLength(2);

  voice.manner = 'hangs';
  await callButton(page).click();
  await widget(page).getByRole('button', { name: 'Cancelar' }).click();
  await expect(callButton(page)).toHaveAccessibleName(/^Hable con nuestra IA/);
});

test.describe('a voice call with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a voice call works while the service worker controls the page', async ({ page, voice, context }) => {
    const bundles: string[] = [];
    await carry(context, 'serves', bundles);
    await agreed(page);
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await open(page);
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await connect(page);
    expect(bundles).toEqual([expect.stringMatching(/^page /)]);
    expect(voice.asked).toHaveLength(1);
  });
});

test.describe('failures of a voice call', () => {
  test.beforeEach(async ({ page, quiet }) => {
    quiet.allow(/Failed to load resource|sentry|c\.daily\.co|WebSocket/);
    await agreed(page);
  });

  test('a failed voice call shows its reason, and the next click starts a new call', async ({ page, voice }) => {
    await open(page);
    await connect(page);
    await stop(page).focus();
    await tell(page, { action: 'error', errorMsg: 'sin red', error: { type: 'no-room', msg: 'sin red' } });
    await expect(widget(page).getByRole('group')).toContainText('Error: sin red');
    await expect(callButton(page)).toBeFocused();
    await expect(announced(page)).toContainText('Error: sin red');

    await connect(page);
    expect(voice.asked).toHaveLength(2);
  });

  test('a voice call without microphone says how to allow it', async ({ page, browser, baseURL, voice }) => {
    const client = await browser.newBrowserCDPSession();
    await open(page);
    const setMicrophone = (setting: 'denied' | 'granted') =>
      client.send('Browser.setPermission', { permission: { name: 'microphone' }, setting, origin: baseURL! });
    await page.evaluate(() => {
      const refuse = () => Promise.reject(new DOMException('Permission denied', 'NotAllowedError'));
      Object.assign(navigator.mediaDevices, {
        real: navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices),
        getUserMedia: refuse,
      });
    });
    await setMicrophone('denied');
    await callButton(page).click();
    const help = widget(page).getByRole('group', { name: 'No se pudo usar el micrófono.' });
    await expect(help).toContainText('Error: Permission denied');
    await expect(help).toContainText('Haga clic en el icono junto a la dirección › Micrófono › Permitir');
    await setMicrophone('granted');
    await page.evaluate(() => {
      const devices = navigator.mediaDevices as unknown as Record<string, unknown>;
      devices['getUserMedia'] = devices['real'];
    });
    await connect(page);
    expect(voice.asked).toHaveLength(2);
  });
});

test('a page with a voice call asks for a confirmation before the visitor leaves it', async ({ page, voice }) => {
  await agreed(page);
  await open(page);
  const isAsked = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
  await callButton(page).focus();
  await expect(page.locator('[data-island=voice][data-awake]')).toHaveCount(1);
  expect(await isAsked()).toBe(false);
  await connect(page);
  expect(await isAsked()).toBe(true);

  await expect(announced(page)).toContainText('IA Activa');
  await announced(page).evaluate((region) => {
    const announcements: string[] = [];
    new MutationObserver(() => region.textContent && announcements.push(region.textContent)).observe(region, {
      childList: true,
      characterData: true,
      subtree: true,
    });
    Object.assign(window, { announcements });
  });
  await visitorSpeaks(page, 'started', 'stopped', 'started');
  await expect(announced(page)).toContainText('Escuchando');
  const announcements = await page.evaluate(() => (window as unknown as { announcements: string[] }).announcements);
  expect(new Set(announcements.map((text) => text.split('...')[0]))).toEqual(new Set(['Escuchando']));
  await visitorSpeaks(page, 'stopped');

  const connection = (event: string) => tell(page, { action: 'network-connection', type: 'signaling', event });
  await connection('interrupted');
  const shown = widget(page).getByRole('paragraph').filter({ hasText: 'Conexión interrumpida…' });
  await expect(shown).toBeVisible();
  await expect(announced(page)).toContainText('Conexión interrumpida…');
  await connection('connected');
  await expect(pill(page)).toContainText('IA Activa');
  await expect(shown).toHaveCount(0);

  await stop(page).click();
  await expect.poll(isAsked).toBe(false);
  expect(voice.asked).toHaveLength(1);
});

test('a click on the call button starts no call if its script loads only later', async ({ page, voice, quiet }) => {
  quiet.allow(/Failed to load resource/);
  await agreed(page);
  let refused = 0;
  const part = /assets\/VoiceWidget-.+\.js/;
  await page.route(part, (route) => {
    refused += 1;
    return route.abort();
  });
  await open(page);
  await callButton(page).click();
  // The page may request the script when the pointer comes near the button, and again at the click.
  await expect.poll(() => refused).toBeGreaterThan(1);
  await expect(page.locator('.line')).toContainText('Sin conexión para llamar');
  await expect(page.locator('[data-island=voice]')).not.toHaveAttribute('data-pressed');
  await page.unroute(part);
  await askNow(page);
  await expect(page.locator('[data-island=voice][data-awake]')).toHaveCount(1);
  await expect(callButton(page)).toHaveAccessibleName(/^Hable con nuestra IA/);
  expect(voice.asked).toEqual([]);
  await connect(page);
  expect(voice.asked).toHaveLength(1);
});

test('the first voice call asks for consent, which is stored with its version', async ({ page, voice }) => {
  const { scripts } = watch(page);
  await open(page);
  await callButton(page).focus();
  await page.keyboard.press('Enter');
  const consent = widget(page).getByRole('group', { name: 'Antes de llamar' });
  await expect(consent).toContainText('inteligencia artificial');
  await expect(consent).toContainText('se graba');
  await expect(consent).toContainText('Vapi');
  // The button keeps the focus, and the Tab key then reaches the opened panel.
  await expect(callButton(page)).toBeFocused();
  await expect(callButton(page)).toHaveAttribute('aria-expanded', 'true');
  await page.keyboard.press('Escape');
  await expect(consent).toHaveCount(0);
  expect(voice.asked).toEqual([]);

  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await expect(consent.getByRole('link', { name: 'Aviso de privacidad' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(callButton(page)).toHaveAccessibleName(/^Terminar la llamada/);
  await expect(callButton(page)).toBeFocused();
  expect(scripts).toHaveLength(1);
  const consentText = await page.evaluate(() => localStorage.getItem('aeropuente.voice-consent'));
  expect(JSON.parse(consentText!)).toMatchObject({ version: 1 });

  await page.reload();
  await connect(page);
  await page.evaluate(() => localStorage.setItem('aeropuente.voice-consent', '{"version":0}'));
  await page.reload();
  await callButton(page).click();
  await expect(consent).toBeVisible();
});

test('the voice call library loads on hover or focus, unless the visitor saves data', async ({ page, voice }) => {
  const { scripts } = watch(page);
  for (const [times, near] of [
    [1, () => callButton(page).hover()],
    [2, () => callButton(page).focus()],
  ] as const) {
    await open(page);
    await page.mouse.move(1, 1);
    await near();
    await expect.poll(() => scripts.length).toBe(times);
  }
  await page.addInitScript(() => localStorage.setItem('aeropuente.data-saver', 'on'));
  await page.goto('/');
  // The call button appears after the visitor has used the page.
  await page.locator('#reservar-espacio [name=nombre]').focus();
  await expect(callButton(page)).toBeVisible();
  await page.mouse.move(1, 1);
  await callButton(page).hover();
  await callButton(page).focus();
  await idle(page);
  expect(scripts).toHaveLength(2);
  expect(voice.asked).toEqual([]);
});

test('the page’s security policies allow the hosts and the microphone that a voice call needs', async ({ page }) => {
  const headers = (await page.goto('/'))!.headers();
  const policy = headers['content-security-policy']!;
  expect(policy).toMatch(/script-src [^;]*https:\/\/c\.daily\.co/);
  expect(policy).not.toContain("'unsafe-eval'");
  expect(policy).toMatch(/connect-src 'self' http:\/\/voice\.localhost https:\/\/\*\.daily\.co wss:\/\/\*\.daily\.co;/);
  expect(headers['permissions-policy']).toContain('microphone=(self)');
});
