import { awake, expect, hold, idle, test } from './visitor.ts';

/** Collects the names (without hashes) of the scripts that the page fetches. Imports from the cache are not counted. */
function scriptsOf(page: import('@playwright/test').Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    const name = /assets\/(.+)-[\w-]{8}\.js$/.exec(new URL(request.url()).pathname)?.[1];
    if (name && request.resourceType() === 'fetch') scripts.push(name);
  });
  return scripts;
}

test('the page first loads the script for the part that the visitor touches', { tag: '@full' }, async ({ page }) => {
  const scripts = scriptsOf(page);
  const letGo = await hold(page, /assets\/quote-.+\.js/);
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => document.querySelector<HTMLElement>('[name=nombre]')!.focus()),
  );
  await page.goto('/');
  await expect.poll(() => scripts).toContain('quote');
  // The page requests the other scripts in idle time, after the script of the touched part.
  await idle(page);
  expect(scripts.filter((name) => /others|after-load|start/.test(name))).toEqual([]);
  letGo();
  await expect.poll(() => scripts).toEqual(expect.arrayContaining(['others', 'after-load', 'start']));
});

test('the page fetches only its loader and the form’s script before the visitor uses it', async ({ page }) => {
  // The test stops idle callbacks, so the page loads scripts only when the visitor does something.
  await page.addInitScript(() => (window.requestIdleCallback = () => 0));
  const scripts = scriptsOf(page);
  await page.goto('/');
  const first = ['basis', 'form', 'index', 'rolldown-runtime'];
  await expect.poll(() => scripts.toSorted()).toEqual(first);
  await page.waitForLoadState('networkidle');
  expect(scripts.toSorted()).toEqual(first);

  await awake(page);
  expect(scripts).toContain('react');
});

const QUERIES = [
  ['?icon-designer', 'App Icon Designer'],
  ['?x=1&vapi-icon', 'Icono de voz'],
  ['?vapi-icon&icon-designer', 'App Icon Designer'],
] as const;

test('the icon designer opens without a flash of the landing page', { tag: '@full' }, async ({ page }) => {
  await page.addInitScript(() => {
    // Looks in each frame whether the landing page is shown.
    const look = () => {
      const hero = document.querySelector<HTMLElement>('#hero');
      if (hero?.checkVisibility()) sessionStorage.setItem('flash', '1');
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  for (const [query, heading] of QUERIES) {
    await page.goto(`/${query}`);
    await expect(page.getByRole('heading', { level: 1, name: heading }), query).toBeVisible();
    expect(await page.evaluate(() => sessionStorage.getItem('flash')), query).toBeNull();
    await expect(page.locator('meta[name=robots]'), query).toHaveAttribute('content', 'noindex');
  }
});
