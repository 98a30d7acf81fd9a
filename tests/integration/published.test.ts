import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampleTestimonials, testimonials } from '../../src/content/testimonials.ts';
import { buildWith } from '../e2e/build-with.ts';
import { type Markup, readMarkup } from './markup.ts';

// Builds the site of an invented company, whose facts contain characters that are special in HTML and JSON.

const SITE = 'https://carga.example.com';
const company = {
  VITE_COMPANY_NAME: 'Norte & Sur',
  VITE_COMPANY_LEGAL_NAME: 'Carga "Golfo & Pacífico" </script>, S.A. de C.V.',
  VITE_COMPANY_PHONE: '+52 (664) 123-4567',
  VITE_COMPANY_WHATSAPP: '+52 664 765 4321',
  VITE_COMPANY_EMAIL: 'ventas@carga.example.com',
  VITE_COMPANY_ADDRESS: "Calle O'Higgins #23, 22000 Tijuana, B.C.",
};
const voice = {
  quote: 'Llegó <fresca> y a tiempo',
  quoteEn: 'It came <fresh> and in time',
  author: 'Ana "Nena" Ríos',
  role: 'Mango · Nayarit',
  rating: 4,
};
const testimonial = { VITE_TESTIMONIALS: JSON.stringify([voice]) };
const PUBLISHED = path.resolve('.cache/published');
const REFUSED = path.resolve('.cache/not-published');
const INDEXED = { 'index.html': '/', 'privacidad.html': '/privacidad.html', 'terminos.html': '/terminos.html' };

const built = (file: string) => path.join(PUBLISHED, 'dist', file);

// The URL has capital letters and a final slash, which the build must remove.
beforeAll(() =>
  buildWith(PUBLISHED, {
    VITE_SITE_URL: 'https://CARGA.example.com/',
    VITE_RETIRE_WORKER: '1',
    ...company,
    ...testimonial,
  }),
);
afterAll(() => Promise.all([PUBLISHED, REFUSED].map((directory) => rm(directory, { recursive: true, force: true }))));

function meta(document: Markup, name: string): string | undefined {
  return document
    .named('meta')
    .find(({ attributes }) => [attributes.get('name'), attributes.get('property')].includes(name))
    ?.attributes.get('content');
}

function canonical(document: Markup): (string | undefined)[] {
  const links = document.named('link').filter(({ attributes }) => attributes.get('rel') === 'canonical');
  return links.map(({ attributes }) => attributes.get('href'));
}

describe.each(Object.entries(INDEXED))('%s', (file, address) => {
  test('the document has a canonical URL and a full URL of its preview picture', () => {
    const document = readMarkup(built(file));
    expect(canonical(document)).toEqual([SITE + address]);
    expect(meta(document, 'og:url')).toBe(SITE + address);
    expect(meta(document, 'og:image')).toBe(`${SITE}/og.png`);
    expect(meta(document, 'og:site_name')).toBe(company.VITE_COMPANY_NAME);
    expect(meta(document, 'robots')).toBeUndefined();
  });

  test('the document contains the facts of the publishing company, and none of the sample company', () => {
    const document = readMarkup(built(file));
    const { VITE_COMPANY_WHATSAPP: whatsapp, VITE_COMPANY_NAME: _name, ...written } = company;
    expect(Object.values(written).filter((fact) => !document.visibleText.includes(fact))).toEqual([]);
    const links = document.named('a').map(({ attributes }) => attributes.get('href'));
    expect(links).toContain(`https://wa.me/${whatsapp.replaceAll(/\D/g, '')}`);
    expect(links).toContain('tel:+526641234567');
    expect(readFileSync(built(file), 'utf8')).not.toMatch(/AeroPuente Carga|555 ?0175|aeropuente\.example|22435/);
  });
});

test('the document shows the company’s testimonials, and no sample testimonials', () => {
  const landing = readMarkup(built('index.html'));
  const { rating, ...written } = voice;
  expect(Object.values(written).filter((part) => !landing.visibleText.includes(part))).toEqual([]);
  const stars = landing
    .byId('clientes')
    .named('svg')
    .map(({ attributes }) => attributes.get('aria-label'));
  expect(stars).toContain(testimonials.rating(rating));
  expect(
    sampleTestimonials.filter(({ author, quote }) =>
      [author, quote].some((part) => landing.visibleText.includes(part)),
    ),
  ).toEqual([]);
  expect(landing.byId('clientes').named('blockquote')).toHaveLength(1);
});

test('the installable app has the company’s name', () => {
  const { name, short_name: short } = JSON.parse(readFileSync(built('manifest.webmanifest'), 'utf8')) as Record<
    string,
    string
  >;
  expect([name, short]).toEqual([`${company.VITE_COMPANY_NAME} · carga aérea México–China`, company.VITE_COMPANY_NAME]);
});

test('the preview picture has the size that the documents state', () => {
  const document = readMarkup(built('index.html'));
  const picture = readFileSync(built('og.png'));
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.length).toBeLessThan(80_000);
  const size = [picture.readUInt32BE(16), picture.readUInt32BE(20)];
  expect(size).toEqual([1200, 630]);
  expect(size.map(String)).toEqual([meta(document, 'og:image:width'), meta(document, 'og:image:height')]);
});

test('the sitemap lists the indexed documents, and robots.txt names the sitemap', () => {
  const listed = [...readFileSync(built('sitemap.xml'), 'utf8').matchAll(/<loc>(.*?)<\/loc>/g)];
  expect(listed.map(([, address]) => address)).toEqual(Object.values(INDEXED).map((address) => SITE + address));
  expect(readFileSync(built('robots.txt'), 'utf8')).toBe(`User-agent: *\nAllow: /\nSitemap: ${SITE}/sitemap.xml\n`);
});

test('a document outside the sitemap has `noindex` and no canonical URL', () => {
  const others = readdirSync(path.join(PUBLISHED, 'dist')).filter(
    (file) => file.endsWith('.html') && !(file in INDEXED),
  );
  expect(others).toEqual(['404.html', 'mesa.html']);
  for (const file of others) {
    const document = readMarkup(built(file));
    expect(meta(document, 'robots'), file).toBe('noindex');
    expect(canonical(document), file).toEqual([]);
    expect(meta(document, 'og:url'), file).toBeUndefined();
  }
});

test('the structured data contain full URLs and the company of the document', () => {
  const document = readMarkup(built('index.html'));
  const [script, ...more] = document
    .named('script')
    .filter(({ attributes }) => attributes.get('type') === 'application/ld+json');
  expect(more).toEqual([]);
  const addresses: string[] = [];
  const claims: string[] = [];
  const read = JSON.parse(script!.text, (key, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (['@id', 'url'].includes(key)) addresses.push(value);
    if (['name', 'legalName', 'description', 'telephone', 'email', 'address'].includes(key)) claims.push(value);
    return value;
  }) as object;
  expect(addresses).toHaveLength(1);
  expect(addresses.filter((address) => !address.startsWith(`${SITE}/`))).toEqual([]);
  const shown = document.visibleText.replaceAll(/\s/g, '');
  expect(claims).toHaveLength(5);
  expect(claims.filter((claim) => !shown.includes(claim.replaceAll(/\s/g, '')))).toEqual([]);
  expect(read).toMatchObject({
    '@type': 'Organization',
    name: company.VITE_COMPANY_NAME,
    legalName: company.VITE_COMPANY_LEGAL_NAME,
    telephone: company.VITE_COMPANY_PHONE,
    email: company.VITE_COMPANY_EMAIL,
    address: company.VITE_COMPANY_ADDRESS,
  });
});

test('a build with VITE_RETIRE_WORKER has sw/retire.js as its worker.js', () => {
  // e2e/retired-worker.test.ts tests the effect on a phone.
  expect(readFileSync(built('worker.js'), 'utf8')).toBe(readFileSync('sw/retire.js', 'utf8'));
});

test('a site built without a URL states no canonical URL', () => {
  for (const file of Object.keys(INDEXED)) {
    const document = readMarkup(`dist/${file}`);
    expect([...canonical(document), meta(document, 'og:url'), meta(document, 'og:image')]).toEqual([
      undefined,
      undefined,
    ]);
  }
  expect(existsSync('dist/sitemap.xml')).toBe(false);
  expect(readFileSync('dist/robots.txt', 'utf8')).not.toContain('Sitemap');
});

const NEEDED = ['LEGAL_NAME', 'ADDRESS', 'PHONE', 'WHATSAPP', 'EMAIL']
  .map((fact) => `VITE_COMPANY_${fact}`)
  .concat('VITE_TESTIMONIALS');

test('the build of a site to publish fails if facts of the company are missing', async () => {
  const without = Object.fromEntries(NEEDED.map((name) => [name, '']));
  await expect(buildWith(REFUSED, { VITE_SITE_URL: SITE, ...company, ...testimonial, ...without })).rejects.toThrow(
    `The environment is not right:\n- To publish the site (VITE_SITE_URL is set), set ${NEEDED.join(', ')} too.\n`,
  );
  expect(existsSync(path.join(REFUSED, 'dist'))).toBe(false);
});
