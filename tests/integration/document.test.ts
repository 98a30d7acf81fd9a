import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { QUOTES_ID } from '../../src/agreements.ts';
import { announcement } from '../../src/content/announcement.ts';
import { benefits } from '../../src/content/benefits.ts';
import { comparison } from '../../src/content/comparison.ts';
import { footer } from '../../src/content/footer.ts';
import { hero } from '../../src/content/hero.ts';
import { navigation } from '../../src/content/navigation.ts';
import { network, roles } from '../../src/content/network.ts';
import { MODES, reachedBy } from '../../src/content/points.ts';
import { process as steps } from '../../src/content/process.ts';
import { questions } from '../../src/content/questions.ts';
import { quote } from '../../src/content/quote.ts';
import { sampleTestimonials, testimonials } from '../../src/content/testimonials.ts';
import { services } from '../../src/content/services.ts';
import { type Markup, readMarkup } from './markup.ts';

const landing = readMarkup('dist/index.html');
const privacy = readMarkup('dist/privacidad.html');
const terms = readMarkup('dist/terminos.html');
const notFound = readMarkup('dist/404.html');
const documents = { landing, privacy, terms, notFound };

const sectionContents = [
  [announcement, benefits, comparison, footer, hero, navigation, network],
  [questions, quote, roles, sampleTestimonials, services, steps, testimonials],
];

const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const textOf = (markup: Markup) => words(markup.visibleText);

test('the landing page contains the sentences that the specification prescribes', () => {
  const text = words(landing.text);
  const promised = `
      Capacidad de carga 72% ocupada | Cargo capacity 72% booked — lock your space today | Reserva tu espacio hoy y llega a China en 17.5 horas
      Beneficios que disparan ventas | Red Logística China 2025 | Modalidades de Transporte
      Aéreo (Perecederos) | Aéreo (General) | Camión Completo Refrigerado
      Camión Completo Seco | Carga Agrupada (LTL) | Centro de distribución
      Puerto de salida | Rutas Activas | Rutas Aéreas Internas
      Distribución Terrestre | Puntos Estratégicos México | Marítimo rápido
      Vuelo directo | Recomendado | US $22k
      menos de 1% | cero multas JIT | 21 días
      12 días | Reservar espacio ahora | Sin compromiso
      Respuesta en 2 h | Tarifa preferente | Tijuana → Guangzhou
      México → Shanghai | México → Beijing | México → Shenzhen
      © 2025`;
  expect(promised.split(/[|\n]/).filter((each) => !text.includes(each.trim()))).toEqual([]);
});

test('the landing page has its sections and links to the form in the specified order', () => {
  const idsIn = (id: string) =>
    landing
      .byId(id)
      .named('section')
      .map(({ attributes }) => attributes.get('id'))
      .join(' ');
  expect(idsIn('contenido')).toBe(
    'hero servicios beneficios red-logistica como-funciona comparativo clientes preguntas contact-form',
  );
  expect(idsIn('testimonios')).toBe('clientes preguntas');
  expect(landing.byId('contact-form').byId('reservar-espacio').name).toBe('form');
  const links = landing.named('nav')[0]!.named('a');
  expect(links.map((link) => `${textOf(link).split(' ')[0]} ${link.attributes.get('href')}`)).toEqual([
    'Inicio #hero',
    'Servicios #servicios',
    'Proceso #como-funciona',
    'Red #red-logistica',
    'Testimonios #testimonios',
  ]);
  const call = landing.named('a').filter((link) => textOf(link) === 'Cotizar Ahora Request a quote');
  expect(call.map(({ attributes }) => attributes.get('href'))).toEqual(['#contact-form', '#contact-form']);
});

test.each([
  ['hero', '17.5 h|0.8%|Puerta a puerta|40 t'],
  ['servicios', 'LAX|PVG|IATA|monitoreo|CCA|60 ciudades|24 h|spot|tarifa más alta|FTL|LTL|una sola factura'],
  ['beneficios', 'US $5k|0.8%|99%|2 h|24/7|audit'],
  ['red-logistica', 'TIJ|CUN|AIFA|CGO|XMN|CAN|SZX|PVG|PEK|24h'],
  ['comparativo', 'Capital detenido|Merma promedio|12%|Riesgo de multas|alto|$0'],
  ['clientes', '40+'],
  ['preguntas', '2 h|se recalcula al reservar|24 h antes del vuelo|2–8, 12–15 y 20–25 °C|no están permitidas'],
  ['preguntas', 'baterías de litio|hielo seco|farmacéuticos|guía aérea|PHARMA-PIL|EXPRESS-XPS|Factura comercial'],
  ['preguntas', 'lista de empaque|certificado sanitario|certificado de origen'],
])('the section #%s states the facts %s', (id, facts) => {
  const text = textOf(landing.byId(id));
  expect(facts.split('|').filter((fact) => !text.includes(fact))).toEqual([]);
});

test('the landing page has six services, six benefits, four steps, nine testimonials and six questions', () => {
  const entries = (id: string, name: string) => landing.byId(id).named(name).length;
  expect(entries('servicios', 'li')).toBe(6);
  expect(entries('beneficios', 'li')).toBe(6);
  expect(entries('como-funciona', 'li')).toBe(4);
  expect(entries('clientes', 'blockquote')).toBe(9);
  expect(entries('preguntas', 'details')).toBe(6);
  const stars = landing
    .byId('clientes')
    .named('svg')
    .flatMap(({ attributes }) => attributes.get('aria-label') ?? []);
  expect(stars).toEqual(Array.from({ length: 9 }, () => testimonials.rating(5)));
  // All questions have the same `name`, so that a browser keeps only one of them open.
  expect(
    new Set(
      landing
        .byId('preguntas')
        .named('details')
        .map(({ attributes }) => attributes.get('name')),
    ),
  ).toEqual(new Set(['faq']));
});

test('every route is also in a list, for visitors without the map', () => {
  const lines = landing
    .byId('red-logistica')
    .named('li')
    .filter((line) => /De Zhengzhou a [A-Z]{3}/.test(textOf(line)));
  expect(lines.map((line) => textOf(line).match(/(?<!^| )(?<= )[A-Z]{3}(?= ·|$)|[A-Z]{3}(?= ·|$)/g))).toEqual(
    MODES.map(reachedBy),
  );
});

test('each form field has the attributes for autofill and for the right keyboard on phones', () => {
  const fields = landing.byId('reservar-espacio').named('input');
  for (const [name, attributes] of Object.entries({
    nombre: { autocomplete: 'name', maxlength: '100' },
    empresa: { autocomplete: 'organization', maxlength: '100' },
    email: { autocomplete: 'email', type: 'email', inputmode: 'email', autocapitalize: 'none', maxlength: '100' },
    telefono: { autocomplete: 'tel', type: 'tel', inputmode: 'tel', maxlength: '20' },
    peso: { inputmode: 'numeric', min: '1', max: '1000000' },
  })) {
    const field = fields.find((each) => each.attributes.get('name') === name)!;
    expect(Object.fromEntries(field.attributes), name).toMatchObject(attributes);
  }
});

test('the landing page is not painted before its first screen is parsed completely', () => {
  const expected = landing.named('link').filter(({ attributes }) => attributes.get('rel') === 'expect');
  expect(expected.map(({ attributes }) => attributes.get('blocking'))).toEqual(['render']);
  const opening = landing.byId('hero');
  const beside = opening.parent!.children.filter((child) => typeof child !== 'string');
  const behind = beside[beside.indexOf(opening) + 1]!;
  expect(expected[0]!.attributes.get('href')).toBe(`#${behind.attributes.get('id')!}`);
});

const pairs = [...pairsIn(sectionContents)];
// This note explains the moving lines, so the built page, whose map does not move, lacks the note.
const printed = pairs.filter(({ es }) => es !== network.legend.note.es);

test('the landing page contains every text of every section in both languages', () => {
  const [spanish, english] = [false, true].map((isEnglish) => {
    const some = texts(landing).filter(({ language }) => (language === 'en') === isEnglish);
    return words(some.map(({ text }) => text).join(' '));
  });
  expect(pairs.length).toBeGreaterThan(90);
  expect(printed.filter(({ es, en }) => !spanish!.includes(words(es)) || !english!.includes(words(en)))).toEqual([]);
});

test('English texts have lang="en", and Spanish texts do not', () => {
  const english = new Set(pairs.map(({ en }) => words(en)));
  const spanish = new Set(pairs.map(({ es }) => words(es)));
  const wrong = texts(landing).filter(({ text, language }) => {
    if (english.has(text) && !spanish.has(text)) return language !== 'en';
    return spanish.has(text) && !english.has(text) && language === 'en';
  });
  expect(wrong).toEqual([]);
});

describe.each(Object.entries(documents))('the HTML document "%s"', (_, markup) => {
  test('every id of the document is unique, and every reference points to an existing id', () => {
    const ids = [...markup.all()].flatMap(({ attributes }) => attributes.get('id') ?? []);
    expect(ids).toEqual([...new Set(ids)]);
    const targets = [...markup.all()].flatMap(({ attributes }) => [
      ...(attributes.get('aria-labelledby')?.split(' ') ?? []),
      ...(attributes.get('aria-describedby')?.split(' ') ?? []),
      ...(attributes.get('for') ? [attributes.get('for')!] : []),
      ...(attributes.get('href')?.startsWith('#') ? [attributes.get('href')!.slice(1)] : []),
    ]);
    // The page adds the list of quotes only when the visitor opens the list.
    expect(targets.filter((target) => !ids.includes(target) && target !== QUOTES_ID)).toEqual([]);
  });

  // axe checks landmarks and headings (e2e/layout.test.ts).
  test('the document is in Mexican Spanish, and has one footer', () => {
    expect(markup.named('html')[0]!.language).toBe('es-MX');
    expect(markup.named('footer')).toHaveLength(1);
  });

  test('the document has no style attributes, and loads no file from another host', () => {
    expect([...markup.all()].filter(({ attributes }) => attributes.has('style'))).toEqual([]);
    const loaded = [...markup.all()].flatMap(({ name, attributes }) =>
      name === 'a' || attributes.get('rel') === 'canonical'
        ? []
        : [attributes.get('src') ?? attributes.get('href') ?? ''],
    );
    expect(loaded.filter((address) => /^(https?:)?\/\//.test(address))).toEqual([]);
  });

  test('the document has a title and a description short enough for search results', () => {
    const title = markup.named('title')[0]!.text;
    const description = markup
      .named('meta')
      .find(({ attributes }) => attributes.get('name') === 'description')!
      .attributes.get('content')!;
    expect(title.length).toBeLessThanOrEqual(60);
    expect(description.length).toBeLessThanOrEqual(155);
  });
});

test('the Content-Security-Policy of every page allows no source of another origin', () => {
  const policies = [...readFileSync('dist/_headers', 'utf8').matchAll(/Content-Security-Policy: (.*)/g)];
  expect(policies.length).toBeGreaterThan(0);
  for (const [, policy] of policies) {
    const directives = policy!.split(';').map((directive) => directive.split(' '));
    expect(directives).toContainEqual(['default-src', "'none'"]);
    for (const [name, ...sources] of directives)
      for (const source of sources)
        expect(`${name} ${source}`).toMatch(
          / 'self'$| 'none'$|^(script|style)-src 'sha256-\S+'$|^img-src (data|blob):$/,
        );
  }
});

test('the structured data describe the company, without reviews', () => {
  const script = landing.named('script').find(({ attributes }) => attributes.get('type') === 'application/ld+json')!;
  expect(JSON.parse(script.text)).toMatchObject({ '@type': 'Organization', name: expect.stringMatching(/./) });
  expect(script.text).not.toMatch(/Review|AggregateRating/);
});

test('the privacy notice names law, authority, data, purposes and rights', () => {
  const text = textOf(privacy);
  const parts = `Ley Federal de Protección de Datos Personales en Posesión de los Particulares|21 de marzo de 2025
      Secretaría Anticorrupción y Buen Gobierno|Finalidades necesarias|Finalidades voluntarias|ARCO
      nombre, empresa, email, teléfono, peso en kg por mes y tipo de carga
      revocar su consentimiento|Última actualización|Dónde se guardan y cuánto tiempo`;
  expect(parts.split(/[|\n]/).filter((part) => !text.includes(part.trim()))).toEqual([]);
  expect(text).not.toMatch(/INAI|IFAI/);
  expect(text).toMatch(/Versión [0-9a-f]{8}/);
});

test('the legal pages are linked from the footer and have no script', () => {
  const links = landing.named('footer')[0]!.named('a');
  expect(links.map(({ attributes }) => attributes.get('href'))).toEqual(
    expect.arrayContaining(['/privacidad.html', '/terminos.html', '/#contact-form']),
  );
  expect([...privacy.named('script'), ...terms.named('script')]).toEqual([]);
});

test('React components contain no sentences, because all texts are in content files', () => {
  const components = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  expect(components.length).toBeGreaterThan(20);
  const found = components.flatMap((file) => {
    const source = readFileSync(`src/${file}`, 'utf8');
    const inElements = [...source.matchAll(/>\s*([^<>{}=;()]*\p{L}{3,}[^<>{}=;()]*)\s*<\//gu)].map(([, text]) =>
      text!.trim(),
    );
    const inAttributes = [...source.matchAll(/(?:aria-label|alt|title|placeholder)="([^"]*\p{L}{2,}[^"]*)"/gu)].map(
      ([, text]) => text!,
    );
    return [...inElements, ...inAttributes].map((text) => `${file}: ${text}`);
  });
  expect(found).toEqual([]);
});

function texts(markup: Markup): { text: string; language: string | undefined }[] {
  return [...markup.all()]
    .filter(({ name }) => !['style', 'script', 'title'].includes(name))
    .flatMap((element) => element.children.map((child) => ({ text: child, language: element.language })))
    .filter((entry): entry is { text: string; language: string | undefined } => typeof entry.text === 'string')
    .map(({ text, language }) => ({ text: words(text), language }))
    .filter(({ text }) => text !== '');
}

function* pairsIn(value: unknown): Generator<{ es: string; en: string }> {
  if (typeof value !== 'object' || value === null) return;
  const record = value as Record<string, unknown>;
  if (typeof record['es'] === 'string') yield record as { es: string; en: string };
  for (const [key, inner] of Object.entries(record)) {
    const english = record[`${key}En`];
    if (typeof inner === 'string' && typeof english === 'string') yield { es: inner, en: english };
    yield* pairsIn(inner);
  }
}
