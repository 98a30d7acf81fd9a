import { test as base, expect } from '@playwright/test';
import { findChromium, findOnPath } from '../../build/browser.mjs';
import { Service } from '../e2e/service.ts';
import type { Engine, Tab } from './engine.ts';
import { startChromium, startFirefox } from './playwright.ts';
import { startWebKit } from './webkit.ts';

/** Each starts where it is installed. */
const engines = {
  async chromium() {
    const file = await findChromium();
    return file && startChromium(file);
  },
  async firefox() {
    const file = process.env['FIREFOX_PATH'] ?? findOnPath('firefox-esr');
    return file && startFirefox(file);
  },
  async webkit() {
    const [driver, screen] = [findOnPath('WebKitWebDriver'), findOnPath('Xvfb')];
    return driver && screen && startWebKit(driver, screen);
  },
} satisfies Record<string, () => Promise<Engine | string | undefined>>;

export type EngineName = keyof typeof engines;

interface Fixtures {
  readonly service: Service;
  readonly tab: Tab;
  /** What the table says beside the result. */
  readonly note: (text: string) => void;
}

interface Shared {
  readonly engineName: EngineName;
  readonly engine: Engine | undefined;
  readonly shared: Service;
}

export const test = base.extend<Fixtures, Shared>({
  engineName: ['chromium', { option: true, scope: 'worker' }],
  engine: [
    async ({ engineName }, use) => {
      const engine = (await engines[engineName]()) || undefined;
      await use(engine);
      await engine?.close();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  shared: [
    async ({}, use) => {
      const service = await Service.start();
      await use(service);
      await service.stop();
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  service: async ({ shared }, use) => {
    shared.fault = () => ({ kind: 'none' });
    shared.inserts.length = 0;
    await use(shared);
  },
  tab: async ({ engine, shared }, use, { annotations, skip }) => {
    if (!engine) return skip(true, 'not installed');
    annotations.push({ type: 'version', description: engine.version });
    const tab = await engine.open(shared.origin);
    await use(tab);
    await tab.close();
  },
  note: async ({}, use, { annotations }) => use((description) => annotations.push({ type: 'note', description })),
});

export { expect };

/** How many of these a visitor sees. */
export const count = (tab: Tab, selector: string, text = '') =>
  tab.evaluate(
    (wanted, words) =>
      [...document.querySelectorAll(wanted)].filter(
        (element) => element.checkVisibility() && element.textContent.includes(words),
      ).length,
    selector,
    text,
  );

export const sees = (tab: Tab, selector: string, text = '', { times = 1, timeout = 10_000 } = {}) =>
  expect.poll(() => count(tab, selector, text), { message: `${selector} ${text}`, timeout }).toBe(times);
