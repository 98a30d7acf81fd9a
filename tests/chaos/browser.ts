import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { findChromium } from '../../build/browser.ts';

const FLAGS = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--remote-debugging-port=0',
];

/** Entry of the outbox on a phone’s disk. */
export interface Kept {
  readonly quote: { readonly nombre: string } | null;
  readonly state: { readonly kind: string };
}

/** Reads the entries on the disk. Returns none if the page has not yet created its database. */
export const readEntries = (page: Page): Promise<Kept[]> =>
  page.evaluate(
    () =>
      new Promise<Kept[]>((resolve) => {
        const opening = indexedDB.open('aeropuente');
        opening.addEventListener('upgradeneeded', () => opening.transaction!.abort());
        opening.addEventListener('error', () => resolve([]));
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('quotes').objectStore('quotes').getAll() as IDBRequest<Kept[]>;
          all.addEventListener('success', () => {
            opening.result.close();
            resolve(all.result);
          });
        });
      }),
  );

/**
 * Waits until the form is ready, then fills and submits it. Returns the milliseconds from the press until the receipt
 * is shown, or undefined after `longest` milliseconds.
 */
export const submitQuote = (page: Page, nombre: string, kilos: number, longest: number): Promise<number | undefined> =>
  page.evaluate(
    async ({ most, ...about }) => {
      const form = document.querySelector<HTMLFormElement>('#reservar-espacio')!;
      form.scrollIntoView({ behavior: 'instant' });
      const until = performance.now() + most;
      const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
      while ((form.ariaBusy === 'true' || !form.closest('[data-awake]')) && performance.now() < until) await pause();
      // Unique company, by which the receipt of this quote is found below.
      const empresa = `${about.nombre}, S.A.`;
      const values = { ...about, empresa, telefono: '6641234567', tipo_carga: 'general' };
      for (const [field, value] of Object.entries(values)) {
        const control = form.elements.namedItem(field) as HTMLInputElement;
        control.value = value;
        control.dispatchEvent(new Event('input', { bubbles: true }));
      }
      const pressed = performance.now();
      form.requestSubmit();
      const receipts = () => [...document.querySelectorAll('article[aria-label^="Su solicitud"]')];
      while (!receipts().some(({ textContent }) => textContent.includes(empresa))) {
        if (performance.now() > until) return undefined;
        await pause();
      }
      return performance.now() - pressed;
    },
    { most: longest, nombre, email: `t${kilos}@tormenta.mx`, peso: String(kilos) },
  );

/** Chromium whose profile stays on disk, so that the browser can be killed and restarted. */
export class Phone {
  readonly #profile: string;
  readonly #executable: string;
  #process: ChildProcess | undefined;
  #browser: Browser | undefined;

  private constructor(profile: string, executable: string) {
    this.#profile = profile;
    this.#executable = executable;
  }

  static async unpack(): Promise<Phone> {
    const executable = await findChromium();
    if (!executable) throw new Error('No Chromium was found: install it, or set CHROMIUM_PATH to its file.');
    const phone = new Phone(await mkdtemp(path.join(tmpdir(), 'aeropuente-phone-')), executable);
    await phone.turnOn();
    return phone;
  }

  get isOn(): boolean {
    return this.#browser?.isConnected() === true;
  }

  get context(): BrowserContext {
    return this.#browser!.contexts()[0]!;
  }

  async turnOn(): Promise<void> {
    const child = spawn(this.#executable, [...FLAGS, `--user-data-dir=${this.#profile}`], {
      // The browser gets its own process group, so that a kill ends all processes of the browser.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#process = child;
    const address = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.stderr.on('data', (text: Buffer) => {
        output += text;
        const found = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
        if (found) resolve(found);
      });
      child.once('exit', () => reject(new Error(`Chromium did not start: ${output}`)));
    });
    this.#browser = await chromium.connectOverCDP(address);
  }

  /** Kills the browser at once, without time to write to disk, as a flat battery does. */
  async die(): Promise<void> {
    const child = this.#process!;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    process.kill(-child.pid!, 'SIGKILL');
    await gone;
  }

  async stopWorkers(page: Page): Promise<void> {
    const session = await this.context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
    await session.detach();
  }

  async throwAway(): Promise<void> {
    await this.die();
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
