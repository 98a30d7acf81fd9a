import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { BrowserContext, Page } from '@playwright/test';
import { serveConfigured, type ConfiguredSite } from './configured-site.ts';
import { expect, idle, test as base } from './visitor.ts';

export { expect, idle };

/** Substitute for the voice service (POST /call/web), on another origin as in production. */
export class VoiceService {
  readonly asked: { readonly authorization: string | undefined; readonly body: unknown }[] = [];
  manner: 'answers' | 'hangs' = 'answers';
  readonly #held: (() => void)[] = [];
  readonly server = createServer((request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization, content-type');
    if (request.method === 'OPTIONS') return void response.end();
    void request.toArray().then((chunks) => {
      const { authorization } = request.headers;
      this.asked.push({ authorization, body: JSON.parse(Buffer.concat(chunks).toString()) });
      response.setHeader('content-type', 'application/json');
      const answer = () => response.writeHead(201).end('{"id":"call-1","webCallUrl":"https://vapi.daily.co/room"}');
      if (this.manner === 'answers') answer();
      else this.#held.push(answer);
    });
  });

  /** Sends the responses that this server has held back. */
  answer(): void {
    for (const answer of this.#held.splice(0)) answer();
  }
}

interface CallMachine {
  readonly made: number;
  readonly microphone?: MediaStreamTrack;
  readonly tell: (message: object) => void;
  config: object;
}

/** Returns the object in the page that replaces Daily’s script (call-machine.js). */
const machine = (page: Page) =>
  page.evaluateHandle(() => (window as never as { callMachine: CallMachine }).callMachine);

export async function tell(page: Page, ...messages: object[]): Promise<void> {
  await (await machine(page)).evaluate((it, all) => all.forEach((message) => it.tell(message)), messages);
}

/** Makes the assistant send these messages to the page at once. */
export const says = (page: Page, ...messages: object[]) =>
  tell(page, ...messages.map((message) => ({ action: 'app-message', data: JSON.stringify(message), fromId: 'bot-1' })));

/** Reports this volume of the assistant ten times a second; 0 stops the reports. */
export async function sounds(page: Page, level: number): Promise<void> {
  await (
    await machine(page)
  ).evaluate((it, loudness) => {
    const spoken = it as CallMachine & { telling?: ReturnType<typeof setInterval> };
    clearInterval(spoken.telling);
    const message = { action: 'remote-participants-audio-level', participantsAudioLevel: { 'bot-1': loudness } };
    if (loudness > 0) spoken.telling = setInterval(() => it.tell(message), 100);
  }, level);
}

export const microphone = async (page: Page) =>
  (await machine(page)).evaluate(({ microphone: track }) => track && { state: track.readyState, open: track.enabled });

export type Bundle = 'serves' | 'hangs' | 'misses';

/** Replaces c.daily.co, from which the voice library loads its code for calls, so that the test needs no internet. */
export async function carry(context: BrowserContext, bundle: Bundle, requests: string[] = []): Promise<void> {
  const body = await readFile(new URL('call-machine.js', import.meta.url), 'utf8');
  await context.unroute('https://c.daily.co/**');
  await context.route('https://c.daily.co/**', async (route) => {
    requests.push(`${route.request().serviceWorker() ? 'worker' : 'page'} ${route.request().url()}`);
    if (bundle === 'misses') return route.abort();
    if (bundle === 'hangs') return;
    await route.fulfill({ contentType: 'text/javascript', body, headers: { 'access-control-allow-origin': '*' } });
  });
}

interface Configured extends ConfiguredSite {
  readonly service: VoiceService;
}

/** Test with a site that was built with a voice assistant. */
export const test = base.extend<{ voice: VoiceService }, { configured: Configured }>({
  configured: [
    async ({}, use) => {
      const service = new VoiceService();
      const environment = {
        VITE_VAPI_PUBLIC_KEY: 'llave-publica',
        VITE_VAPI_ASSISTANT_ID: 'asistente',
        VITE_VAPI_BASE_URL: 'http://voice.localhost',
      };
      const site = await serveConfigured('voiced', environment, 'voice.localhost', service.server);
      await use({ ...site, service });
      site.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  voice: async ({ configured: { service }, context }, use) => {
    service.manner = 'answers';
    service.asked.length = 0;
    await carry(context, 'serves');
    await use(service);
    service.answer();
  },
  baseURL: async ({ configured }, use) => use(configured.origin),
  launchOptions: [
    async ({ launchOptions, configured: { flag } }, use) =>
      use({
        ...launchOptions,
        args: [
          ...(launchOptions.args ?? []),
          flag,
          '--use-fake-device-for-media-stream',
          '--use-fake-ui-for-media-stream',
        ],
      }),
    { scope: 'worker' },
  ],
});

export const widget = (page: Page) => page.getByRole('region', { name: 'Asistente de voz' });
/** First button of the voice widget; its name changes with the state. */
export const callButton = (page: Page) => widget(page).getByRole('button').first();
export const pill = (page: Page) =>
  widget(page)
    .getByRole('paragraph')
    .filter({ hasText: /^(IA hablando\.\.\.|Escuchando\.\.\.|IA Activa|Conectando…)/ });

/** Stores a consent to voice calls, as if given on an earlier visit. */
export async function agreed(page: Page): Promise<void> {
  await page.addInitScript(() =>
    localStorage.setItem('aeropuente.voice-consent', '{"version":1,"at":"2026-01-01T00:00:00Z"}'),
  );
}

export async function connect(page: Page): Promise<void> {
  await callButton(page).click();
  await expect(callButton(page)).toHaveAccessibleName(/^Terminar la llamada/);
}

/** Opens the page, and pauses its clock when the call button appears. */
export async function openAtRest(page: Page, address = '/'): Promise<void> {
  await page.clock.install({ time: '2026-01-15T12:00:00Z' });
  await page.clock.pauseAt('2026-01-15T12:00:01Z');
  await page.goto(address);
  await appear(page);
}

export async function appear(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(20);
    await expect(callButton(page)).toBeVisible({ timeout: 100 });
  }).toPass();
}
