import { expect, test } from 'vitest';
import { HONEYPOT } from '../../src/agreements.ts';
import { keysIn } from '../../src/lead/quote-link.ts';
import { runQuotes, send, serverOfFile } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

// The tests send the form as a browser without JavaScript does.

/** Number of quotes that an IP address may send in these tests. */
const MOST = 5;
const server = serverOfFile({ RATE_LIMIT_PER_ADDRESS: String(MOST), TRUST_PROXY: '1' });

const filled = {
  nombre: 'María López',
  empresa: 'Berries del Valle',
  email: 'Ventas@Berries.mx',
  telefono: '+52 998 765 4321',
  peso: '12,500',
  tipo_carga: 'perecederos',
};

async function post(values: Record<string, string> | string, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.address}/cotizar`, {
    method: 'POST',
    body: new URLSearchParams(values),
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin', 'x-forwarded-for': '192.0.2.1', ...headers },
  });
  return { status: response.status, headers: response.headers, html: await response.text() };
}

const folioIn = (html: string) => /AP-\w{4}-\w{4}/.exec(html)?.[0];

async function stored(nombre: string) {
  const { output } = await runQuotes({ DATA_DIR: server.dataDir }, '--json');
  return (JSON.parse(output) as readonly Record<string, unknown>[]).filter((row) => row['nombre'] === nombre);
}

test('a form that is posted several times is stored once', async () => {
  const nombre = 'Ana, dos veces';
  const values = { ...filled, nombre, promociones: 'on' };
  const answers = await Promise.all([post(values), post(values)]);
  answers.push(await post(values));
  const [row, ...others] = await stored(nombre);
  expect(others).toEqual([]);
  expect(row).toMatchObject({ email: 'ventas@berries.mx', peso: 12_500, promociones: true });
  for (const { status, headers, html } of answers) {
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';.*form-action 'self'/);
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    expect(folioIn(html)).toBe(row!['folio']);
    expect(html).toMatch(/La recibimos a las .*Le respondemos antes de las \d\d:\d\d \(Tijuana\)/);
    expect(html).toContain('href="tel:');
    expect(html).not.toContain('<script');
  }
  // The page after a sent form has a share link, which opens the quote on any phone.
  const [key] = keysIn(answers[0]?.html ?? '');
  const opened = await fetch(`${server.address}/rest/v1/quote_links?select=*`, {
    headers: { apikey: 'aeropuente-public', 'x-submission-id': key! },
  });
  expect(await opened.json()).toMatchObject([{ id: row!['id'] }]);
});

test('an equal form from another IP address gets no data of the first quote', async () => {
  const nombre = 'Ana, de otra parte';
  const { html } = await post({ ...filled, nombre }, { 'x-forwarded-for': '192.0.2.10' });
  const other = await post({ ...filled, nombre }, { 'x-forwarded-for': '192.0.2.11' });
  expect(other.status).toBe(409);
  expect(other.html).toContain('Ya existe una cotizacion con este email. Te contactaremos pronto.');
  expect(other.html).not.toContain(folioIn(html)!);
  expect(keysIn(other.html)).toEqual([]);
  expect(await stored(nombre)).toHaveLength(1);
  const byPhone = sampleQuote({ ...filled, nombre, email: 'ventas@berries.mx', peso: 12_500 });
  expect((await send(server.address, byPhone)).status).toBe(409);
});

test.each([
  ['nombre', '', 'Nombre es requerido'],
  ['empresa', ' ', 'Empresa es requerida'],
  ['email', 'ana@', 'Email debe tener un formato valido'],
  ['telefono', '123', 'Telefono debe tener entre 7 y 15 digitos'],
  ['peso', '0', 'Peso debe ser un numero mayor a 0'],
  ['tipo_carga', 'oro', 'Tipo de carga debe ser valido'],
] as const)('a form with a wrong %s returns with its values and an error at the field', async (field, value, says) => {
  const { status, html, headers } = await post({ ...filled, [field]: value });
  expect(status).toBe(422);
  expect(headers.get('cache-control')).toBe('no-store');
  expect(html).toContain(`Error de validacion: ${says}`);
  expect(html.match(/aria-invalid="true"/g)).toHaveLength(1);
  expect(html).toMatch(new RegExp(`id="${field}-fault"><span>${says}`));
  const other = field === 'empresa' ? filled.nombre : filled.empresa;
  expect(html).toContain(`value="${other}"`);
  if (field !== 'tipo_carga') expect(html).toContain('<option value="perecederos" selected="">');
});

test('HTML in submitted values comes back as plain text', async () => {
  const evil = '"><script>alert(1)</script>{{folio}} $& \'';
  const { html } = await post({ ...filled, nombre: evil, peso: '' });
  expect(html).not.toContain('<script>alert');
  expect(html).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;{{folio}} $&amp; &#x27;"');
  const receipt = await post({ ...filled, nombre: evil }, { 'x-forwarded-for': '192.0.2.20' });
  expect(receipt.status).toBe(200);
  expect(receipt.html).not.toContain('<script>');
});

test('a form whose hidden field a bot filled in is not stored', async () => {
  const nombre = 'Un programa';
  const { status, html } = await post({ ...filled, nombre, [HONEYPOT]: 'https://spam.example' });
  expect(status).toBe(422);
  expect(html).toContain('Error al enviar la cotizacion. Por favor intenta nuevamente.');
  expect(html).not.toContain('spam.example');
  expect(await stored(nombre)).toEqual([]);
});

test.each([
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another subdomain', { 'sec-fetch-site': 'same-site' }],
  ['another origin', { 'sec-fetch-site': '', origin: 'https://elsewhere.example' }],
  ['an origin without a name', { 'sec-fetch-site': '', origin: 'null' }],
])('the server refuses a form from %s with an error page', async (_what, headers) => {
  const nombre = 'De otro sitio';
  const { status, html } = await post({ ...filled, nombre }, headers);
  expect(status).toBe(403);
  expect(html).toContain('viene de otro sitio y no se guardó');
  expect(await stored(nombre)).toEqual([]);
});

test('a body that is too large or not a form is refused with an error page', async () => {
  const large = await post({ ...filled, nombre: 'x'.repeat(20_000) });
  expect(large.status).toBe(413);
  expect(large.html).toContain('demasiado grande');
  const json = await post('{}', { 'content-type': 'application/json' });
  expect(json.status).toBe(415);
});

test('a form above the limit of its IP address comes back with its values', async () => {
  const from = { 'x-forwarded-for': '192.0.2.30' };
  for (let count = 0; count < MOST; count += 1)
    expect((await post({ ...filled, nombre: `Muchas ${count}` }, from)).status).toBe(200);
  const { status, headers, html } = await post({ ...filled, nombre: 'Muchas más' }, from);
  expect(status).toBe(429);
  expect(headers.get('retry-after')).toMatch(/^\d+$/);
  expect(html).toContain('Error temporal del sistema. Intenta nuevamente en unos minutos.');
  expect(html).toContain('value="Muchas más"');
});

test('a GET request to the form’s action URL is redirected to the form', async () => {
  const response = await fetch(`${server.address}/cotizar`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/#contact-form']);
});
