import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { handlingOf, noticeVersion } from '../../build/privacy-notice.ts';
import { constants } from '../../build/environment.ts';
import { fillNotice, noteHandling } from '../../server/privacy-notice.ts';
import { privacy, type Handling } from '../../src/content/legal.ts';

const company = { name: 'Carga', legalName: 'Carga, S.A.', phone: '+52 664 1', email: 'a@b.mx', address: 'Calle 1' };
const textOf = (environment: Readonly<Record<string, string>>) => {
  const { clauses } = privacy(company, handlingOf(environment));
  return clauses.flatMap(({ text, list = [] }) => [text, ...list]).join(' ');
};

const OWN = { DATABASE_URL: 'postgresql://localhost/x', VITE_DATA_PLACE: 'Querétaro' };
const HOSTED = { VITE_SUPABASE_URL: 'https://a.supabase.co', VITE_DATA_PLACE: 'us-east-1' };

test.each([
  [{}, 'en un equipo del propio responsable.'],
  [OWN, '(PostgreSQL) bajo control del responsable (Querétaro).'],
  [HOSTED, 'Supabase, que actúa como encargado (us-east-1).'],
] as const)('the privacy notice with the settings %j names who stores the data, and where', (environment, says) => {
  expect(textOf(environment)).toContain(says);
  expect(textOf(environment).includes('alojamiento y base de datos (Supabase)')).toBe(
    'VITE_SUPABASE_URL' in environment,
  );
});

test('the privacy notice names another company’s service only if the operator uses that service', () => {
  const bare = textOf({});
  const services = ['Vapi', 'servicio de mapas', 'correo del equipo', 'servicio de correo'];
  for (const name of services) expect(bare).not.toContain(name);
  const mails = { ALERT_MAIL: 'a@b.mx', MAIL_FROM: 'a@b.mx' };
  const all = textOf({ ...mails, VITE_VAPI_PUBLIC_KEY: 'k', VITE_TILE_URL: 'https://t' });
  for (const name of services) expect(all).toContain(name);
  for (const name of ['notificaciones', 'WhatsApp', 'ofertas', 'mensajes', 'notas internas', 'fotos o papeles'])
    expect(bare).toContain(name);
});

test('the privacy notice states how long the server retains data', () => {
  expect(textOf({})).toContain('No hay un plazo automático');
  const limited = textOf({ RETENTION_MONTHS: '24' });
  expect(limited).toContain(
    'se bloquea 24 meses después del último mensaje, nota o documento sobre ella y se suprime 3 meses más tarde',
  );
});

test('the version of the privacy notice changes only when its text changes', () => {
  const version = (environment: Readonly<Record<string, string>>) =>
    noticeVersion(environment, handlingOf(environment));
  expect(version({})).toMatch(/^[0-9a-f]{8}$/);
  expect(version({})).toBe(version({ PORT: '80' }));
  const names = ['RETENTION_MONTHS', 'VITE_DATA_PLACE', 'VITE_COMPANY_EMAIL', 'ALERT_MAIL'];
  expect(new Set([version({}), ...names.map((name) => version({ [name]: '24' }))]).size).toBe(5);
});

const built = { VITE_SUPABASE_URL: '', VITE_VAPI_PUBLIC_KEY: 'k' };
/** Returns the privacy notice as the build writes it. */
function documentOf(environment: Readonly<Record<string, string>>): string {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const handling = handlingOf(environment);
  const { updated, clauses } = privacy(company, handling);
  const texts = clauses.map(({ text = '' }) => `<p>${escaped(text)}</p>`);
  return `<p data-handling="${escaped(JSON.stringify(handling))}">${updated} · Versión 0</p>${texts.join('')}`;
}

test('the served privacy notice follows the settings of the server, not those of the build', () => {
  const settings = {
    ...built,
    VITE_COMPANY_EMAIL: company.email,
    VITE_DATA_PLACE: 'Tijuana & "alrededores"',
    DATABASE_URL: 'postgresql://localhost/x',
    SMTP_URL: 'smtps://user:word@mail.example.com',
    RETENTION_MONTHS: '24',
  };
  expect(fillNotice(documentOf(built), settings)).toBe(documentOf(settings));
  expect(fillNotice(documentOf(settings), { ...built, VITE_COMPANY_EMAIL: company.email })).toBe(documentOf(built));
  const since = new Date('2027-01-02T05:00:00Z');
  expect(fillNotice(documentOf(built), settings, since)).toContain('actualización: 1 de enero de 2027 · Versión 0<');
  expect(fillNotice('<p>Something else</p>', settings)).toBeUndefined();
  expect(fillNotice(documentOf(built).replaceAll('<p>Sus', '<p>Otros'), settings)).toBeUndefined();
});

test('the server records the day of each change of the privacy notice’s settings', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'aeropuente-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const on = (day: string, environment: Readonly<Record<string, string>>) =>
    noteHandling(folder, environment, new Date(day))?.toISOString().slice(0, 10);
  expect(on('2026-12-01', {})).toBeUndefined();
  expect(on('2026-12-02', { PORT: '80' })).toBeUndefined();
  expect(on('2026-12-03', { RETENTION_MONTHS: '24' })).toBe('2026-12-03');
  expect(on('2026-12-04', { RETENTION_MONTHS: '24' })).toBe('2026-12-03');
  const lines = readFileSync(path.join(folder, 'notices'), 'utf8').trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { handling: Handling }).handling.retentionMonths)).toEqual([0, 24]);
});

test('the build fixes the version of the privacy notice only for a static host', () => {
  const version = (environment: Readonly<Record<string, string>>) =>
    constants(environment)['import.meta.env.NOTICE_VERSION'];
  expect(version({ VITE_DATA_PLACE: 'Tijuana' })).toBe(version({}));
  const hosted = { VITE_SUPABASE_URL: 'https://a.supabase.co' };
  expect(version({ ...hosted, VITE_DATA_PLACE: 'us-east-1' })).not.toBe(version(hosted));
});
