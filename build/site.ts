import { createHash } from 'node:crypto';
import { appendFile, copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build } from 'vite';
import { fingerprint, isStale, markBuilt, markUnbuilt } from './build-if-stale.ts';
import { deskBuild, deskWorkerBuild } from './desk.ts';
import { contentSecurityPolicy, permissionsPolicy } from './content-security-policy.ts';
import { type BuildEnvironment, readEnvironment } from './environment.ts';
import { nameWorker } from './pwa.ts';

const DIST = 'dist';
const WORTH_COMPRESSING = /\.(html|js|css|svg|json|txt|xml|webmanifest)$/;

/** Builds `dist/`, which any static host can serve. */
async function buildSite(): Promise<void> {
  // Test runners and shells may set another value, which Vite would use.
  process.env['NODE_ENV'] = 'production';
  const sources = await fingerprint();
  await markUnbuilt();
  await build({ logLevel: 'warn', configLoader: 'native' });
  const environment = readEnvironment();
  await nameWorker(DIST);
  await build(deskBuild(environment));
  await build(deskWorkerBuild(environment));
  if (environment['VITE_RETIRE_WORKER']) await copyFile('sw/retire.js', path.join(DIST, 'worker.js'));
  await fillHeaders(environment);
  await writeSitemap();
  await compress();
  await markBuilt(sources);
}

async function fillHeaders(environment: BuildEnvironment): Promise<void> {
  const inline = new Set<string>();
  for (const name of await readdir(DIST)) {
    if (!name.endsWith('.html')) continue;
    const html = await readFile(path.join(DIST, name), 'utf8');
    for (const [, tag, text] of html.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)) {
      inline.add(`${tag} 'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
    }
  }
  const file = path.join(DIST, '_headers');
  const headers = (await readFile(file, 'utf8'))
    .replace('Policy: {csp}', `Policy: ${contentSecurityPolicy(inline, environment)}`)
    .replace('Policy: {permissions}', `Policy: ${permissionsPolicy(environment)}`);
  await writeFile(file, headers);
}

/** Lists every document with a canonical address, which exists once VITE_SITE_URL is set. */
async function writeSitemap(): Promise<void> {
  const documents = (await readdir(DIST)).filter((name) => name.endsWith('.html')).toSorted();
  const texts = await Promise.all(documents.map((name) => readFile(path.join(DIST, name), 'utf8')));
  const addresses = texts.flatMap((html) => /<link rel="canonical" href="([^"]+)"/.exec(html)?.[1] ?? []);
  if (addresses.length === 0) return;
  const entries = addresses.map((address) => `<url><loc>${address}</loc></url>`).join('');
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>\n`;
  await writeFile(path.join(DIST, 'sitemap.xml'), sitemap);
  await appendFile(path.join(DIST, 'robots.txt'), `Sitemap: ${new URL('/sitemap.xml', addresses[0]).href}\n`);
}

/**
 * Sixteen variants of Brotli's distance coding. A small file is compressed with all of them, and the smallest result is
 * used. With one fixed variant, a single changed letter can change a file's size by up to 50 bytes (record 10).
 */
const WAYS_TO_CODE_DISTANCES = [0, 1, 2, 3].flatMap((postfix) =>
  [0, 4, 8, 12].map((direct) => ({
    [constants.BROTLI_PARAM_NPOSTFIX]: postfix,
    [constants.BROTLI_PARAM_NDIRECT]: direct << postfix,
  })),
);

/** File size in bytes above which trying all compression variants would take seconds. */
const LARGE = 64_000;

async function compress(): Promise<void> {
  const files = await readdir(DIST, { recursive: true });
  for (const name of files.filter((file) => WORTH_COMPRESSING.test(file))) {
    const file = path.join(DIST, name);
    const content = await readFile(file);
    const ways = content.length < LARGE ? WAYS_TO_CODE_DISTANCES : [{}];
    const results = await Promise.all(ways.map((params) => promisify(brotliCompress)(content, { params })));
    await writeFile(`${file}.br`, results.toSorted((a, b) => a.length - b.length)[0]!);
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}

if (import.meta.main) {
  try {
    if (!process.argv.includes('--if-stale') || (await isStale())) await buildSite();
    console.log('The site is built in dist/.');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
