import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { decode } from 'fast-png';
import { bothWords } from '../../src/content/bilingual.ts';
import { designer as words } from '../../src/content/designer.ts';
import { EXPORT_SIZES, SCALE_TESTS, SCHEMES } from '../../src/designer/icon.ts';
import { expect, test } from './visitor.ts';

const preview = (page: Page) => page.getByRole('region', { name: words.preview.title.es }).getByRole('img');
const scheme = (page: Page, name: 'primary' | 'cargo' | 'logistics') =>
  page.getByRole('radio', { name: words.scheme.names[name].en });
const size = (page: Page) => page.getByRole('combobox', { name: 'Export size' });

const drawn = async (page: Page) => decodeURIComponent((await preview(page).getAttribute('src'))!);

async function open(page: Page, hash = ''): Promise<void> {
  await page.goto(`/?icon-designer${hash}`);
  await expect(page.getByRole('heading', { level: 1, name: 'App Icon Designer' })).toBeVisible();
}

async function exported(page: Page, name: string) {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  await expect(page.getByRole('status')).toContainText(words.exports.done(download.suggestedFilename()).es);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

/** Returns the names and contents of the files in an uncompressed ZIP. */
function unzip(file: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  let at = file.readUInt32LE(file.length - 6);
  for (let left = file.readUInt16LE(file.length - 12); left > 0; left -= 1) {
    const [length, name, local] = [file.readUInt32LE(at + 20), file.readUInt16LE(at + 28), file.readUInt32LE(at + 42)];
    const start = local + 30 + name;
    entries.set(file.toString('utf8', at + 46, at + 46 + name), file.subarray(start, start + length));
    at += 46 + name;
  }
  return entries;
}

test('each control of the icon designer changes the preview, and the URL stores the design', async ({ page }) => {
  await open(page);
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const box = (await preview(page).boundingBox())!;
    expect(box.width).toBeLessThanOrEqual(400);
    expect(box.width).toBeGreaterThan(width < 400 ? 260 : 390);
  }
  for (const pixels of SCALE_TESTS) {
    const picture = page.getByRole('img', { name: bothWords(words.scaleTests.picture(pixels)), exact: true });
    expect(await picture.boundingBox()).toMatchObject({ width: pixels, height: pixels });
  }
  for (const name of SCHEMES.toReversed()) {
    await scheme(page, name).check();
    expect(await drawn(page)).toContain(`id="${name}"`);
  }
  await scheme(page, 'cargo').check();
  await page.getByRole('checkbox', { name: 'Show Grid' }).uncheck();
  expect(await drawn(page)).not.toContain('id="grid"');
  await page.getByRole('checkbox', { name: 'Show Safe Zones' }).uncheck();
  expect(await drawn(page)).not.toContain('id="safe-zones"');
  await size(page).selectOption('1024');
  await expect(page.getByRole('region', { name: words.specs.title.es }).getByRole('definition')).toHaveText([
    '229.07 px',
    '102.4 px',
    '153.6 px',
    '1024 × 1024 px',
  ]);

  const design = await drawn(page);
  await page.reload();
  await expect(size(page)).toHaveValue('1024');
  expect(await drawn(page)).toBe(design);
  await page.evaluate(() => (location.hash = '#scheme=logistics&size=29'));
  await expect(scheme(page, 'logistics')).toBeChecked();
  await expect(size(page)).toHaveValue('29');
});

const isOpaque = (png: Buffer) => {
  const { data, channels } = decode(png);
  return channels === 3 || data.every((value, at) => at % 4 !== 3 || value === 255);
};

test.describe('the icon designer with its worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the icon designer exports SVG, PNG and ZIP without guide lines, even offline', async ({ page, context }) => {
    await open(page, '#scheme=logistics');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await page.reload();
    for (const pixels of [29, 1024]) {
      await size(page).selectOption(String(pixels));
      const svg = await exported(page, 'Export SVG');
      expect(svg.name).toBe(`aeropuente-icon-${pixels}.svg`);
      expect(svg.content.toString()).toMatch(/id="logistics"(?!.*id="(grid|safe-zones)")/s);
      const png = await exported(page, 'Export PNG');
      expect(png.name).toBe(`aeropuente-icon-${pixels}.png`);
      const { width, height, channels, data } = decode(png.content);
      expect([width, height]).toEqual([pixels, pixels]);
      const at = (x: number, y: number) => {
        const first = (Math.floor(y * height) * width + Math.floor(x * width)) * channels;
        return [...data.subarray(first, first + 3)];
      };
      expect(at(0.757, 0.574)).toEqual([0, 0x40, 0xdd]);
      expect(isOpaque(png.content)).toBe(pixels === 1024);
    }
    const { name, content } = await exported(page, 'Whole set as ZIP');
    expect(name).toBe('aeropuente-icons-logistics.zip');
    const entries = unzip(content);
    expect(entries.size).toBe(16);
    for (const pixels of EXPORT_SIZES) {
      expect(entries.get(`aeropuente-icon-${pixels}.svg`)?.toString()).toContain('id="logistics"');
      expect(entries.get(`aeropuente-icon-${pixels}.png`)?.readUInt32BE(16)).toBe(pixels);
    }
    const maskable = entries.get('web/icons/maskable-512.png')!;
    expect([maskable.readUInt32BE(20), isOpaque(maskable)]).toEqual([512, true]);
    await context.setOffline(false);
  });
});
