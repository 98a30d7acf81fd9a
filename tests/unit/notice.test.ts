import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { handlingOf, noticeVersion } from '../../build/notice.ts';
import { noticeIsWrong } from '../../server/notice.ts';
import { privacy, type Handling } from '../../src/content/legal.ts';

const company = { name: 'Carga', legalName: 'Carga, S.A.', phone: '+52 664 1', email: 'a@b.mx', address: 'Calle 1' };
const textOf = (environment: Readonly<Record<string, string>>) => {
  const { clauses } = privacy(company, handlingOf(environment));
  return clauses.flatMap(({ text, list = [] }) => [text, ...list]).join(' ');
};

test.each([
  [{}, 'en un equipo del propio responsable.'],
  [
    { DATABASE_URL: 'postgresql://localhost/x', VITE_DATA_PLACE: 'Querétaro' },
    '(PostgreSQL) bajo control del responsable (Querétaro).',
  ],
  [
    { VITE_SUPABASE_URL: 'https://a.supabase.co', VITE_DATA_PLACE: 'us-east-1' },
    'Supabase, que actúa como encargado (us-east-1).',
  ],
] as const)('the notice with %j names who stores the data, and where', (environment, says) => {
  expect(textOf(environment)).toContain(says);
  expect(textOf(environment).includes('alojamiento y base de datos (Supabase)')).toBe(
    'VITE_SUPABASE_URL' in environment,
  );
});

test('the notice names a service only when it is used', () => {
  const bare = textOf({});
  for (const name of ['Vapi', 'servicio de mapas', 'correo del equipo']) expect(bare).not.toContain(name);
  const all = textOf({ SMTP_URL: 'smtp://x', VITE_VAPI_PUBLIC_KEY: 'k', VITE_TILE_URL: 'https://t' });
  for (const name of ['Vapi', 'servicio de mapas', 'correo del equipo']) expect(all).toContain(name);
  for (const name of ['notificaciones', 'WhatsApp', 'ofertas', 'mensajes', 'notas internas', 'fotos o papeles'])
    expect(bare).toContain(name);
});

test('the notice states the retention of the server', () => {
  expect(textOf({})).toContain('No hay un plazo automático');
  const limited = textOf({ RETENTION_MONTHS: '24' });
  expect(limited).toContain(
    'se bloquea 24 meses después del último mensaje, nota o documento sobre ella y se suprime 3 meses más tarde',
  );
});

test('the notice’s version changes with any of its words, and only then', () => {
  const version = (environment: Readonly<Record<string, string>>) =>
    noticeVersion(environment, handlingOf(environment));
  expect(version({})).toMatch(/^[0-9a-f]{8}$/);
  expect(version({})).toBe(version({ PORT: '80' }));
  const others = [
    { RETENTION_MONTHS: '24' },
    { VITE_DATA_PLACE: 'x' },
    { VITE_COMPANY_EMAIL: 'a@b.mx' },
    { SMTP_URL: 's' },
  ];
  expect(new Set([{}, ...others].map((each) => version(each as Record<string, string>))).size).toBe(others.length + 1);
});

test('a server warns when its settings differ from those of the build', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'aeropuente-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'privacidad.html');
  const built: Handling = handlingOf({ VITE_DATA_PLACE: 'Tijuana & "alrededores"' });
  const written = JSON.stringify(built).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  writeFileSync(file, `<p class="label" data-handling="${written}">`);
  const same = { VITE_DATA_PLACE: 'Tijuana & "alrededores"' };
  expect(noticeIsWrong(file, same)).toBeUndefined();
  expect(noticeIsWrong(file, { ...same, RETENTION_MONTHS: '12', DATABASE_URL: 'x' })).toContain(
    '(place, retentionMonths): npm run build',
  );
  expect(noticeIsWrong(path.join(folder, 'none.html'), {})).toBeUndefined();
});
