import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROMISED_HOURS } from '../../src/lead/promise.ts';
import { scratchFolder } from '../scratch.ts';
import { copyWorkingTree } from '../working-copy.ts';
import { dataDirectory, send, startServer } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

// Recipes of CONTRIBUTING.md, each one row, walked in a copy of the working tree.

const HOUR = 3_600_000;
const copy = mkdtempSync(path.join(scratchFolder(), 'aeropuente-changed-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** Puts `to` in the place of `from` in a file of the copy. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(path.join(copy, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(path.join(copy, file), text.replace(from, to));
}

const built = (file: string) => readFileSync(path.join(copy, 'dist', file), 'utf8');

beforeAll(async () => {
  copyWorkingTree(copy);
  edit('src/lead/promise.ts', `PROMISED_HOURS = ${PROMISED_HOURS}`, `PROMISED_HOURS = ${PROMISED_HOURS + 1}`);
  edit(
    'src/lead/fields.ts',
    '  tipo_carga: { choices',
    "  puerto: { longest: 60, optional: true, sample: 'Ensenada' },\n  tipo_carga: { choices",
  );
  edit(
    'src/content/fields.ts',
    '  tipo_carga: {\n    label',
    "  puerto: { label: { es: 'Puerto', en: 'Port' } },\n  tipo_carga: {\n    label",
  );
  edit(
    'src/lead/kinds.ts',
    '  air: { cubic',
    "  sea: { cubic: 1000, papers: ['factura'], without: ['puerto'] },\n  air: { cubic",
  );
  edit('src/content/fields.ts', 'choices: { air:', "choices: { sea: { es: 'Marítimo', en: 'Sea' }, air:");
  const last = "{ code: 'SZX'";
  const added = "{ code: 'CTU', name: 'Chengdu', lat: 30.578, lng: 103.947, type: 'destination', by: ['truck-dry'] },";
  edit('src/content/points.ts', last, `${added}\n  ${last}`);
  await promisify(execFile)(process.execPath, ['build/site.ts'], { cwd: copy });
});

test('another promise is one number: the page, the database and each quote follow', async () => {
  const page = built('index.html');
  expect(page).toContain(`${PROMISED_HOURS + 1}\u00a0h`);
  expect(page).not.toContain(`${PROMISED_HOURS}\u00a0h`);
  const { address } = await startServer(await dataDirectory(), {}, copy);
  const [row] = (await (await send(address, sampleQuote())).json()) as Record<'created_at' | 'promised_at', string>[];
  expect(Date.parse(row!.promised_at) - Date.parse(row!.created_at)).toBe((PROMISED_HOURS + 1) * HOUR);
});

test('a point of the map is one row: list, legend, counts and the still picture follow', () => {
  const now = readFileSync('dist/index.html', 'utf8');
  const page = built('index.html');
  expect(page).toContain('Chengdu');
  expect(now).toContain('cinco aeropuertos');
  expect(page).toContain('seis aeropuertos');
  expect(page).toContain('Hasta 7 hubs en China');
  const lines = (picture: string) => picture.match(/M10 -7q/g)!.length;
  expect(lines(built('network-still.svg'))).toBe(lines(readFileSync('dist/network-still.svg', 'utf8')) + 1);
});
