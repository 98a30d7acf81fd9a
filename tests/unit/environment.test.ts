import { readdirSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { checkEnvironment, constants, readEnvironment } from '../../build/environment.ts';
import { readRenamed } from '../../build/setting-names.ts';
import { readSettings, SETTING_NAMES } from '../../server/settings.ts';
import { settingNames } from '../own-settings.ts';

function testimonial(author: string, rating: number): string {
  return JSON.stringify([{ quote: 'Llega', quoteEn: 'It arrives', author, role: 'Mango', rating }]);
}

const good = {
  VITE_SUPABASE_URL: 'https://abcd.supabase.co',
  VITE_SUPABASE_PUBLISHABLE_KEY: 'sb_publishable_x',
  VITE_VAPI_PUBLIC_KEY: 'key',
  VITE_VAPI_ASSISTANT_ID: 'assistant',
  VITE_VAPI_BASE_URL: 'https://voice.example.com',
  VITE_TILE_URL: 'https://{s}.tiles.example.com/{z}/{x}/{y}.png?key=k',
  VITE_TILE_ATTRIBUTION: '© Tiles',
  VITE_HERO_IMAGE_URL: 'https://pictures.example.com/hero.avif',
  VITE_DATA_PLACE: 'Virginia, EE. UU.',
  VITE_RETIRE_WORKER: '1',
  VITE_SITE_URL: 'https://carga.example.com',
  VITE_COMPANY_NAME: 'Carga',
  VITE_COMPANY_LEGAL_NAME: 'Carga, S.A. de C.V.',
  VITE_COMPANY_PHONE: '+52 664 123 4567',
  VITE_COMPANY_WHATSAPP: '+52 (664) 123-4567',
  VITE_COMPANY_EMAIL: 'ventas@carga.example.com',
  VITE_COMPANY_ADDRESS: 'Calle 1, Tijuana, B.C.',
  VITE_TESTIMONIALS: testimonial('Ana', 5),
};

test.each([
  ['an empty environment', {}],
  ['a complete environment', good],
  ['an empty list of testimonials', { ...good, VITE_TESTIMONIALS: '[]' }],
  ['empty values and unknown variables', { VITE_TILE_URL: '', VITE_SITE_URL: '', VITE_OTHER: 'no address' }],
])('the build accepts %s', (_, environment) => {
  expect(() => checkEnvironment(environment)).not.toThrow();
});

/** Refused values of each setting. */
const REFUSED = {
  VITE_SUPABASE_URL: ['abcd.supabase.co', 'http://localhost.example.com', 'https://abcd.supabase.co/rest/v1'],
  VITE_SUPABASE_PUBLISHABLE_KEY: ['two words'],
  VITE_VAPI_PUBLIC_KEY: ['two words'],
  VITE_VAPI_ASSISTANT_ID: ['two words'],
  VITE_VAPI_BASE_URL: ['ftp://voice.example.com', 'https://voice.example.com/'],
  VITE_TILE_URL: ['https://tiles.example.com/{z}/{x}.png', 'https://tile-{s}.example.com/{z}/{x}/{y}.png'],
  VITE_HERO_IMAGE_URL: ['/hero.avif'],
  VITE_RETIRE_WORKER: ['true'],
  VITE_SITE_URL: ['carga.example.com', 'https://example.com/carga', 'https://carga.example.com/?utm_source=x'],
  VITE_COMPANY_NAME: ['two\nlines'],
  VITE_COMPANY_LEGAL_NAME: [' '],
  VITE_COMPANY_PHONE: ['664 123 4567', '+52 ring me'],
  VITE_COMPANY_WHATSAPP: ['+52'],
  VITE_COMPANY_EMAIL: ['ventas'],
  VITE_COMPANY_ADDRESS: ['x'.repeat(121)],
  VITE_TESTIMONIALS: ['Llega', '{}', '[null]', testimonial(' ', 5), testimonial('Ana', 6)],
} as const;

test.each(Object.entries(REFUSED))('the build refuses %s with values %j, and names the right form', (name, values) => {
  // The error also names a second wrong setting.
  const wrong = { VITE_COMPANY_EMAIL: 'ventas' };
  for (const value of values) {
    const says = new RegExp(`^- ${name} must be .+; it is "${RegExp.escape(value)}"\\.$`, 'm');
    expect(() => checkEnvironment({ ...good, ...wrong, [name]: value })).toThrow(says);
    expect(() => checkEnvironment({ ...good, ...wrong, [name]: value })).toThrow('VITE_COMPANY_EMAIL must be');
  }
});

test.each([
  ['VITE_SUPABASE_URL', 'VITE_SUPABASE_PUBLISHABLE_KEY'],
  ['VITE_VAPI_PUBLIC_KEY', 'VITE_VAPI_ASSISTANT_ID'],
  ['VITE_TILE_URL', 'VITE_TILE_ATTRIBUTION'],
] as const)('the build requires %s and %s to be set together', (one, other) => {
  const sentence = `${one} and ${other} must be set together.`;
  expect(() => checkEnvironment({ [one]: good[one] })).toThrow(sentence);
  expect(() => checkEnvironment({ [other]: good[other] })).toThrow(sentence);
  expect(() => checkEnvironment({ [one]: good[one], [other]: good[other] })).not.toThrow();
});

test.each([
  'VITE_COMPANY_LEGAL_NAME',
  'VITE_COMPANY_ADDRESS',
  'VITE_COMPANY_PHONE',
  'VITE_COMPANY_WHATSAPP',
  'VITE_COMPANY_EMAIL',
  'VITE_TESTIMONIALS',
])('the build refuses to publish a site without the setting %s', (name) => {
  expect(() => checkEnvironment({ ...good, [name]: '' })).toThrow(
    `To publish the site (VITE_SITE_URL is set), set ${name} too.`,
  );
});

test.each([
  ['VITE_SUPABASE_PUBLISHABLE_KEY', 'VITE_SUPABASE_ANON_KEY'],
  ['SUPABASE_SECRET_KEY', 'SUPABASE_SERVICE_ROLE_KEY'],
] as const)('the setting %s is also read by its earlier name %s; two different values are refused', (name, earlier) => {
  expect(readRenamed(name, { [name]: 'x' })).toBe('x');
  expect(readRenamed(name, { [name]: '', [earlier]: 'x' })).toBe('x');
  expect(readRenamed(name, { [name]: 'x', [earlier]: 'x' })).toBe('x');
  expect(readRenamed(name, { [earlier]: '' })).toBeUndefined();
  expect(() => readRenamed(name, { [name]: 'x', [earlier]: 'y' })).toThrow(
    `${name} and ${earlier} are both set and differ: keep ${name}, and take ${earlier} out.`,
  );
});

test('the build and the server read the publishable key under its earlier name', () => {
  expect(readSettings({ VITE_SUPABASE_ANON_KEY: 'x' }).publishableKey).toBe('x');
  vi.stubEnv('VITE_SUPABASE_ANON_KEY', 'x');
  expect(readEnvironment()).toEqual({ VITE_SUPABASE_PUBLISHABLE_KEY: 'x' });
  vi.unstubAllEnvs();
});

test('every setting becomes a constant in the built page, empty if unset', () => {
  const all = constants({ VITE_COMPANY_NAME: 'Carga' });
  expect(Object.keys(all).toSorted()).toEqual(
    [...Object.keys(good), 'NOTICE_VERSION', 'NOTICE_FACTS'].map((name) => `import.meta.env.${name}`).toSorted(),
  );
  expect(all['import.meta.env.VITE_COMPANY_NAME']).toBe('"Carga"');
  expect(all['import.meta.env.VITE_TILE_URL']).toBe('""');
});

test('the build checks every variable that the page reads', () => {
  const declared = [...readFileSync('src/config.ts', 'utf8').matchAll(/readonly (VITE_\w+): string;/g)];
  expect(declared.length).toBeGreaterThan(10);
  expect(declared.map(([, name]) => name!).filter((name) => !(name in good))).toEqual([]);
});

test('the tests see no setting of the developer’s environment', () => {
  const sources = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const reads = /(?:process\.env|environment)\['(\w+)'\]/g;
  const inPassing = sources.flatMap((file) => [...readFileSync(`server/${file}`, 'utf8').matchAll(reads)]);
  const read = [...SETTING_NAMES, ...inPassing.map(([, name]) => name!)];
  expect(read.length).toBeGreaterThan(10);
  expect([...read, ...Object.keys(good)].filter((name) => !settingNames().includes(name))).toEqual([]);
  expect(settingNames().filter((name) => process.env[name] !== '')).toEqual([]);
});
