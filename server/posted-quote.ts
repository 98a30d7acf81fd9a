import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { LINK_ADDRESS, HONEYPOT, type PostedParts } from '../src/agreements.ts';
import { mainWords, type Bilingual } from '../src/content/bilingual.ts';
import { momentInWords } from '../src/content/dates.ts';
import { formFailures } from '../src/content/failures.ts';
import { noScriptForm as words } from '../src/content/no-script-form.ts';
import { fieldWords } from '../src/content/fields.ts';
import { receipt } from '../src/content/quote-states.ts';
import { refusalMessage } from '../src/content/refusals.ts';
import { faultOf, validationFailure } from '../src/content/field-failures.ts';
import { byField, EVERY_FIELD, fields, FIELDS, type Field, type FieldTexts } from '../src/lead/fields.ts';
import { folioOf } from '../src/lead/folio.ts';
import { promisedUntil } from '../src/lead/promise.ts';
import { linkCode } from '../src/lead/quote-link.ts';
import { newId, type Quote } from '../src/lead/quote.ts';
import { rowOf } from '../src/lead/quote-row.ts';
import { dayInTijuana, timeInTijuana } from '../src/lead/tijuana.ts';
import { readFieldText } from '../src/lead/field-text.ts';
import { networksOf } from './admission.ts';
import { readText } from './body.ts';
import type { Rest } from './rest/handler.ts';
import { escapeHtml } from './escape-html.ts';

/** Path to which browsers without script post the form. */
export const POSTED_PATH = '/cotizar';

interface Dependencies {
  readonly rest: Rest;
  readonly publishableKey: string;
  /** Key from which ids are derived, so that nobody can compute the id of another visitor's quote. */
  readonly secret: Uint8Array;
  readonly mostBytes: number;
}

type Parts = PostedParts & { readonly styles: string };

/** Answers a form sent without script: with the receipt, or with the form and its first error. */
export function createPostedQuote(
  dependencies: Dependencies,
): (request: Request, address: string) => Promise<Response> {
  let read: Parts | undefined;
  // The page is read on first use, because commands open the backend without a built site.
  const readParts = () => (read ??= JSON.parse(readFileSync('dist/cotizar.json', 'utf8')) as Parts);
  return async (request, address) => {
    if (request.method !== 'POST')
      return new Response(null, { status: 303, headers: { location: '/#contact-form', 'cache-control': 'no-store' } });
    const parts = readParts();
    if (!isOwn(request.headers)) return page(parts, 403, notice(parts, words.otherSite) + parts.wayBack);
    if (!/^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? ''))
      return page(parts, 415, notice(parts, words.notForm) + parts.wayBack);
    const body = await readText(request, dependencies.mostBytes);
    if (body === 'too large') return page(parts, 413, notice(parts, words.tooLarge) + parts.wayBack);
    if (body === 'cut off') return page(parts, 400, notice(parts, words.notForm) + parts.wayBack);
    return answer(new URLSearchParams(body.text), address, dependencies, parts);
  };
}

/**
 * True if a page of this site sent the form. Another site could make a browser send one without the visitor's
 * knowledge.
 */
function isOwn(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = headers.get('origin');
  return origin === null || URL.parse(origin)?.host === headers.get('host');
}

async function answer(
  form: URLSearchParams,
  address: string,
  dependencies: Dependencies,
  parts: Parts,
): Promise<Response> {
  const values = byField((field) => form.get(field) ?? '');
  const promociones = form.has('promociones');
  const formAgain = (status: number, text: Bilingual, first?: Field, headers?: Record<string, string>) =>
    page(parts, status, notice(parts, text) + filledForm(parts, values, promociones, first), headers);
  // A program or autofill has filled the hidden field. The form is shown again with this field empty, so that a person
  // can send it.
  if (form.get(HONEYPOT)) return formAgain(422, formFailures.other);
  const first = FIELDS.find((field) => faultOf(field, values[field]));
  if (first) return formAgain(422, validationFailure(faultOf(first, values[first])!), first);
  const quote = { ...clean(values), ...(promociones && { promociones: true }) };
  const id = idOf(quote, address, dependencies.secret);
  const response = await send({ ...quote, id } as Quote, address, dependencies, parts.noticeVersion);
  if (response.status === 201) {
    const [row] = (await response.json()) as [Stored?];
    const stored = row ?? (await readBack(id, address, dependencies));
    return page(parts, 200, await filledReceipt(parts, { ...quote, id } as Quote, stored));
  }
  const { code, message } = (await response.json()) as { readonly code: string; readonly message: string };
  const later = response.headers.get('retry-after');
  const headers = later ? { 'retry-after': later } : undefined;
  if (response.status === 429 || response.status >= 500 || [401, 403].includes(response.status))
    return formAgain(response.status < 429 ? 503 : response.status, formFailures.temporary, undefined, headers);
  const kind = code === '23505' ? ({ kind: 'known' } as const) : ({ kind: 'rejected', code, message } as const);
  return formAgain(code === '23505' ? 409 : 422, refusalMessage(kind));
}

const clean = (values: FieldTexts) =>
  Object.fromEntries(
    EVERY_FIELD.flatMap((field) => {
      const read = readFieldText(field, values[field]);
      return 'value' in read && read.value !== undefined ? [[field, read.value]] : [];
    }),
  );

/**
 * Derives the id from the quote, the network and the day, so that pressing the button twice or reloading the page
 * stores one quote. From another or an unknown network the id differs: the database then refuses the repeated quote,
 * and the visitor gets no receipt.
 */
function idOf(quote: object, address: string, secret: Uint8Array): string {
  const text = JSON.stringify([quote, dayInTijuana(Date.now()), networksOf(address).network || newId()]);
  const hex = createHmac('sha256', secret).update(`cotizar ${text}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Stores the quote with the same rules and limits as one from a phone. */
function send(quote: Quote, address: string, { rest, publishableKey }: Dependencies, aviso: string): Promise<Response> {
  const headers = {
    apikey: publishableKey,
    'content-type': 'application/json',
    prefer: 'resolution=ignore-duplicates,return=representation',
    'x-aviso': aviso,
  };
  const body = JSON.stringify(rowOf(quote));
  return rest(
    new Request('http://localhost/rest/v1/quotes?on_conflict=id', { method: 'POST', headers, body }),
    address,
  );
}

interface Stored {
  readonly created_at: string;
  readonly promised_at: string;
}

async function readBack(
  id: string,
  address: string,
  { rest, publishableKey }: Dependencies,
): Promise<Stored | undefined> {
  const headers = { apikey: publishableKey, 'x-submission-id': id };
  const response = await rest(new Request('http://localhost/rest/v1/quotes?select=*', { headers }), address);
  return response.ok ? ((await response.json()) as [Stored?])[0] : undefined;
}

async function filledReceipt(parts: Parts, quote: Quote, stored: Stored | undefined): Promise<string> {
  const now = Date.now();
  const at = stored ? Date.parse(stored.created_at) : now;
  const until = promisedUntil({ at, promisedAt: stored && Date.parse(stored.promised_at) });
  const cargo = mainWords(fieldWords.tipo_carga.choices[quote.tipo_carga]);
  const promise = words.promise(momentInWords(at, now), timeInTijuana(until));
  return fill(parts.receipt, {
    folio: folioOf(quote.id),
    summary: `${quote.empresa} · ${quote.peso.toLocaleString('es-MX')} ${mainWords(receipt.perMonth)} · ${cargo}`,
    contact: `${quote.nombre} · ${quote.email} · ${quote.telefono.replaceAll(' ', '\u00a0')}`,
    link: `/${LINK_ADDRESS}${await linkCode(quote.id, undefined)}`,
    ...promise,
  });
}

/** Fills the form with the typed values and the message of the first wrong field. */
function filledForm(parts: Parts, values: FieldTexts, promociones: boolean, first: Field | undefined): string {
  const form = FIELDS.reduce((html, field) => {
    const [right, wrong] = parts.fields[field];
    const shown = field === first ? fill(wrong, { ...faultOf(field, values[field])! }) : right;
    return html.replace(right, () => withValue(shown, field, values[field]));
  }, parts.form);
  return promociones ? form.replace('name="promociones"', '$& checked=""') : form;
}

function withValue(html: string, field: Field, value: string): string {
  if (!fields[field].choices)
    return html.replace(`name="${field}"`, () => `name="${field}" value="${escapeHtml(value)}"`);
  return html
    .replace(' selected=""', '')
    .replace(`<option value="${escapeHtml(value)}"`, (option) => `${option} selected=""`);
}

const notice = (parts: Parts, text: Bilingual): string => fill(parts.notice, { ...text });

/** Replaces names in double braces, in one pass, so that braces inside a value stay. */
function fill(html: string, values: Readonly<Record<string, string>>): string {
  return html.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => escapeHtml(values[name] ?? ''));
}

function page(parts: Parts, status: number, content: string, headers?: Record<string, string>): Response {
  const hash = createHash('sha256').update(parts.styles).digest('base64');
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  const body = parts.page.replace('{{content}}', () => content);
  const html = `<!doctype html><html lang="es-MX" data-own-face><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover"><meta name="color-scheme" content="light dark">${parts.head}<style>${parts.styles}</style></head><body>${body}</body></html>`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': policy,
      'referrer-policy': 'same-origin',
      ...headers,
    },
  });
}
