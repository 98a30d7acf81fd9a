import { test as base, expect } from '@playwright/test';
import { findOnPath } from '../../build/on-path.ts';
import { Service } from '../e2e/service.ts';
import { freshDataDirectory } from '../run-folder.ts';
import type { Engine, Tab } from './engine.ts';
import { startFirefox } from './with-playwright.ts';
import { startWebKit } from './with-webdriver.ts';

/** Functions that start each installed browser. */
const engines = {
  async firefox() {
    const file = process.env['FIREFOX_PATH'] ?? findOnPath('firefox-esr');
    return file && startFirefox(file);
  },
  async webkit() {
    const [driver, screen] = [findOnPath('WebKitWebDriver'), findOnPath('Xvfb')];
    return driver && screen && startWebKit(driver, screen);
  },
} satisfies Record<string, () => Promise<Engine | string | undefined>>;

const INSTALLATION = 'On Debian: apt-get install firefox-esr webkit2gtk-driver xvfb';

export type EngineName = keyof typeof engines;

interface Fixtures {
  readonly service: Service;
  readonly tab: Tab;
  /** Adds a remark to the printed result of the test. */
  readonly note: (text: string) => void;
}

interface Shared {
  readonly engineName: EngineName;
  readonly engine: Engine | undefined;
  readonly shared: Service;
}

export const test = base.extend<Fixtures, Shared>({
  engineName: ['firefox', { option: true, scope: 'worker' }],
  engine: [
    async ({ engineName }, use) => {
      const engine = (await engines[engineName]()) || undefined;
      if (!engine) console.log(`NOT TESTED IN ${engineName.toUpperCase()}: it is not installed. ${INSTALLATION}`);
      await use(engine);
      await engine?.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  shared: [
    async ({}, use) => {
      const service = await Service.start(await freshDataDirectory());
      await use(service);
      await service.stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  service: async ({ shared }, use) => {
    shared.fault = () => ({ kind: 'none' });
    shared.inserts.length = 0;
    await use(shared);
  },
  tab: async ({ engine, shared }, use, { annotations }) => {
    if (!engine) return test.skip(true, 'not installed');
    const tab = await engine.open(shared.origin);
    annotations.push({ type: 'version', description: engine.version });
    await use(tab);
    await tab.close();
  },
  note: async ({}, use, { annotations }) => use((description) => annotations.push({ type: 'note', description })),
});

export { expect };

/** Time limit of a wait in milliseconds: five times the longest wait on an idle machine. */
const PATIENCE = 60_000;

/** Polls until the check passes: often at first, because most waits are short, then less often. */
export const polled = <Result>(
  ask: () => Promise<Result>,
  message?: string,
  timeout = PATIENCE,
): ReturnType<typeof expect.poll<Result>> =>
  expect.poll(ask, { timeout, intervals: [50, 100, 100, 250], ...(message && { message }) });

/** Waits until `times` visible elements match. */
export const sees = (tab: Tab, selector: string, text = '', { times = 1, timeout = PATIENCE } = {}) =>
  polled(() => tab.evaluate(visible, selector, text), `${selector} ${text}`, timeout).toBe(times);

function visible(selector: string, text: string): number {
  return [...document.querySelectorAll(selector)].filter(
    (element) => element.checkVisibility() && element.textContent.includes(text),
  ).length;
}
