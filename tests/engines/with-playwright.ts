import { firefox, type Page } from '@playwright/test';
import type { Engine, Tab } from './engine.ts';

/** Starts Firefox with WebDriver BiDi, for which an ordinary Firefox is enough. */
export async function startFirefox(executablePath: string): Promise<Engine> {
  const browser = await firefox.launch({ executablePath, channel: 'moz-firefox' });
  return {
    version: browser.version(),
    open: async (baseURL) => {
      const context = await browser.newContext({ baseURL, viewport: { width: 360, height: 740 } });
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      return tabOf(page);
    },
    close: () => browser.close(),
  };
}

function tabOf(page: Page): Tab {
  const consoleLines: string[] = [];
  page.on('console', (message) => consoleLines.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => consoleLines.push(String(error)));
  const first = (selector: string, text?: string) =>
    page
      .locator(selector)
      .filter({ visible: true, ...(text && { hasText: text }) })
      .first();
  return {
    consoleLines,
    goto: async (address) => void (await page.goto(address)),
    reload: async () => void (await page.reload()),
    evaluate: (work, ...given) =>
      // The function is sent as text, because Playwright passes only one argument to a function.
      page.evaluate(`(${String(work)})(...${JSON.stringify(given)})`),
    click: (selector, text) => first(selector, text).click(),
    // The text is typed key by key, because in Firefox React misses a value that is set at once.
    type: async (selector, text) => {
      await first(selector).fill('');
      await first(selector).pressSequentially(text);
    },
    choose: async (selector, value) => void (await first(selector).selectOption(value)),
    press: (key) => page.keyboard.press(key),
    setOnline: (online) => page.context().setOffline(!online),
    async lookAway() {
      // A second tab covers this tab.
      const [other] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => void open('about:blank'))]);
      await page.waitForFunction(() => document.visibilityState === 'hidden');
      await page.bringToFront();
      await page.waitForFunction(() => document.visibilityState === 'visible');
      await other.close();
    },
    close: () => page.context().close(),
  };
}
