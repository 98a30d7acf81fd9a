import { readFileSync, statSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { convertIndexedToRgb, decode, encode } from 'fast-png';
import { expect, test } from 'vitest';
import { manifest } from '../../build/manifest.ts';
import { flatPng, smallPng } from '../../build/png.ts';
import { readAddress, writeAddress } from '../../src/designer/address.ts';
import { findings } from '../../src/designer/guidelines.ts';
import {
  drawIcon,
  drawPreview,
  EXPORT_SIZES,
  extent,
  initialState,
  measures,
  SCHEMES,
  type Frame,
} from '../../src/designer/icon.ts';
import { zip } from '../../src/designer/zip.ts';

const FRAMES: readonly Frame[] = ['rounded', 'square', 'maskable'];
const everyIcon = SCHEMES.flatMap((scheme) =>
  FRAMES.flatMap((frame) => EXPORT_SIZES.map((size) => drawIcon(scheme, size, frame))),
);
const ODD = ['', 'toString', '__proto__', '"/><script>alert(1)</script>', 'PRIMARY', '\u0000'];
const ODD_SIZES = [0, -29, 29.5, Number.NaN, Infinity, 1e9];

/** Returns whether the XML closes its elements in order, quotes each attribute, and repeats no attribute. */
function isWellFormed(xml: string): boolean {
  const open: string[] = [];
  const rest = xml.replaceAll(/<(\/?)([\w-]+)((?: [\w-]+="[^"<&]*")*)(\/?)>/g, (_, closes, name, attributes, empty) => {
    const names = [...String(attributes).matchAll(/ ([\w-]+)=/g)].map(([, attribute]) => attribute);
    if (new Set(names).size !== names.length) return '<';
    if (closes) return open.pop() === name ? '' : '<';
    if (!empty) open.push(String(name));
    return '';
  });
  return rest === '' && open.length === 0;
}

test.each([
  [29, 6.49, 2.9, 4.35],
  [87, 19.46, 8.7, 13.05],
  // The platforms round the corners of the 1024 px master themselves.
  [1024, 229.07, 102.4, 153.6],
])('the icon of %i pixels has corner radius %d, padding %d and safe zone %d', (size, radius, padding, safeZone) => {
  expect(measures(size)).toEqual({ size, radius, padding, safeZone });
  const svg = drawIcon('primary', size);
  expect(svg).toContain(`width="${size}" height="${size}" viewBox="0 0 1024 1024"`);
  expect(svg.includes('rx="229.07"')).toBe(size < 1024);
});

test('the icon is well-formed XML without text, drawn identically each time', () => {
  for (const svg of [...everyIcon, ...SCHEMES.map((scheme) => drawPreview({ ...initialState, scheme }))]) {
    expect(isWellFormed(svg), svg).toBe(true);
    expect(svg).not.toMatch(/<text|<script|NaN|undefined/);
  }
  expect(drawIcon('cargo', 58)).toBe(drawIcon('cargo', 58));
  expect(new Set(everyIcon).size).toBe(everyIcon.length);
});

test('the preview shows the chosen guide lines; an exported icon has none', () => {
  for (const grid of [true, false]) {
    const svg = drawPreview({ ...initialState, grid, safeZones: !grid });
    expect([svg.includes('id="grid"'), svg.includes('id="safe-zones"')]).toEqual([grid, !grid]);
  }
  expect(drawPreview(initialState)).toContain('x="102.4" y="102.4" width="819.2" height="819.2"');
  expect(drawPreview(initialState)).toContain('M0 870.4H1024V1024H0Z');
  for (const svg of everyIcon) expect(svg).not.toMatch(/grid|safe-zones/);
});

test('an unknown colour scheme or size is drawn as the default icon', () => {
  for (const scheme of ODD) expect(drawIcon(scheme, 87)).toBe(drawIcon('primary', 87));
  for (const size of ODD_SIZES) expect(drawIcon('cargo', size)).toBe(drawIcon('cargo', 1024));
});

test('the maskable icon stays within a circle of four fifths of its width', () => {
  const svg = drawIcon('primary', 512, 'maskable');
  const [x, y] = /translate\(([-\d.]+) ([-\d.]+)\)/.exec(svg)!.slice(1).map(Number);
  const [, ...circles] = [...svg.matchAll(/cx="(\d+)" cy="(\d+)" r="(\d+)"/g)];
  expect(circles).toHaveLength(2);
  for (const circle of circles) {
    const [cx, cy, radius] = circle.slice(1).map(Number) as [number, number, number];
    expect(Math.hypot(cx + x! - 512, cy + y! - 512) + radius).toBeLessThanOrEqual(409.6);
  }
  expect(512 - (extent.top + y!)).toBeLessThanOrEqual(409.6);
  expect(svg).not.toContain('rx=');
});

test('the icon meets all eight measured guidelines in every colour scheme', () => {
  for (const scheme of SCHEMES) {
    const found = findings(drawIcon(scheme, 1024));
    expect(found).toHaveLength(10);
    expect(found.filter(({ kind }) => kind === 'judgement')).toHaveLength(2);
    for (const finding of found) if (finding.kind === 'measured') expect(finding, scheme).toMatchObject({ met: true });
  }
});

const missed = (svg: string) =>
  findings(svg).flatMap((finding) => (finding.kind === 'measured' && !finding.met ? finding.guideline : []));
const icon = drawIcon('primary', 1024);

test('the guidelines show the sizes measured in the drawing of the icon', () => {
  const figureOf = (guideline: string) =>
    findings(icon).flatMap((each) => (each.kind === 'measured' && each.guideline === guideline ? each.figure : []))[0];
  expect(figureOf('padding')).toBeCloseTo((Math.min(extent.left, 1024 - extent.right, extent.top) / 1024) * 100, 1);
  expect(figureOf('safeZone')).toBeCloseTo(((1024 - extent.bottom) / 1024) * 100, 1);
  expect(figureOf('detail')).toBeCloseTo((104 / 1024) * 29, 1);
});

test.each([
  ['text', '<text>A</text>'],
  ['flat', '<filter id="shadow"/>'],
  ['gradients', '<radialGradient id="another"/>'],
  ['palette', '<path fill="#123456"/>'],
  ['detail', '<rect x="300" y="300" width="20" height="200" fill="#ffffff"/>'],
  ['padding', '<circle cx="90" cy="400" r="60" fill="#ffffff"/>'],
  ['contrast', '<circle cx="512" cy="400" r="60" fill="#5856d6"/>'],
  ['safeZone', '<rect x="400" y="800" width="100" height="100" fill="#ffffff"/>'],
])('the guideline "%s" detects a drawing that violates the guideline', (guideline, broken) =>
  expect(missed(icon.replace('</svg>', `${broken}</svg>`))).toEqual([guideline]),
);

test('the URL of the icon designer restores every design', () => {
  const designs = SCHEMES.flatMap((scheme) => EXPORT_SIZES.map((exportSize) => ({ scheme, exportSize })));
  const states = designs.map((design) => ({ ...initialState, ...design, grid: false }));
  expect(states.map((state) => readAddress(writeAddress(state)))).toEqual(states);
});

test.each(['', '#', '#scheme=__proto__&size=toString', '#size=1e9&grid=%00', '#%%%&scheme=<svg>', '#size=29.0'])(
  'the icon designer ignores the malformed URL fragment %j',
  (hash) => expect(readAddress(hash)).toEqual(initialState),
);

test('the exported ZIP contains each icon file unchanged', () => {
  const content = new TextEncoder().encode('<svg/>');
  const file = Buffer.concat(zip([{ path: 'a/ñ.svg', content }]));
  expect(file.readUInt32LE(0)).toBe(0x04_03_4b_50);
  expect(file.readUInt32LE(14)).toBe(crc32(content));
  expect(file.includes(Buffer.from('a/ñ.svg<svg/>'))).toBe(true);
  expect(file.readUInt32LE(file.length - 6)).toBe(file.indexOf(Buffer.from([0x50, 0x4b, 1, 2])));
});

test.each(['icons/maskable-512.png', 'icons/apple-touch-180.png'])('%s is opaque in its corners', (file) => {
  const { data, channels } = decode(readFileSync(`public/${file}`));
  expect(channels === 3 || data.every((value, at) => at % 4 !== 3 || value === 255)).toBe(true);
});

test('committed icons and screenshots have the sizes, purposes and form factors of the manifest', () => {
  const { icons, screenshots } = manifest('AeroPuente');
  for (const { src, sizes } of [...icons, ...screenshots].filter((file) => file.src.endsWith('.png'))) {
    const header = readFileSync(`public${src}`);
    expect(`${header.readUInt32BE(16)}x${header.readUInt32BE(20)}`, src).toBe(sizes);
  }
  const kinds = icons.map(({ purpose, sizes }) => `${purpose} ${sizes}`);
  expect(kinds).toEqual(['any any', 'any 192x192', 'any 512x512', 'maskable 512x512']);
  expect(screenshots.map((screen) => screen.form_factor)).toEqual(['narrow', 'wide']);
  for (const { src, label } of screenshots) {
    expect(label).toBeTruthy();
    expect(statSync(`public${src}`).size).toBeLessThan(120_000);
  }
});

test('a PNG keeps its pixels when it is compressed', () => {
  const size = { width: 7, height: 5 };
  const data = Uint8Array.from({ length: 7 * 5 * 4 }, (_, at) => (at * 37) % 256);
  expect(decode(smallPng(encode({ ...size, data })))).toMatchObject({ ...size, channels: 4, data });
  const opaque = { ...size, channels: 3, data: data.subarray(0, 7 * 5 * 3) };
  expect(decode(smallPng(encode(opaque)))).toMatchObject(opaque);
  const flat = { ...opaque, data: opaque.data.map((value) => value & 0xc0) };
  expect(convertIndexedToRgb(decode(flatPng(encode(flat))))).toEqual(flat.data);
});
