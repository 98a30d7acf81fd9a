import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, loadEnv } from 'vite';
import { fingerprint, markBuilt } from './fresh.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';

const DIST = 'dist';
const WORTH_COMPRESSING = /\.(html|js|css|svg|json|txt|xml|webmanifest)$/;

/** Everything that `dist/` holds, ready to be served by any static host. */
export async function buildSite(): Promise<void> {
  const sources = await fingerprint();
  await build({ logLevel: 'warn' });
  await fillHeaders();
  await compress();
  await markBuilt(sources);
}

async function fillHeaders(): Promise<void> {
  const inline = new Set<string>();
  for (const name of await readdir(DIST)) {
    if (!name.endsWith('.html')) continue;
    const html = await readFile(path.join(DIST, name), 'utf8');
    for (const [, tag, text] of html.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g)) {
      inline.add(`${tag} 'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
    }
  }
  const file = path.join(DIST, '_headers');
  const policy = contentSecurityPolicy(inline, loadEnv('production', '.', 'VITE_'));
  await writeFile(file, (await readFile(file, 'utf8')).replace('Policy: {csp}', `Policy: ${policy}`));
}

async function compress(): Promise<void> {
  const files = await readdir(DIST, { recursive: true });
  for (const name of files.filter((file) => WORTH_COMPRESSING.test(file))) {
    const file = path.join(DIST, name);
    const content = await readFile(file);
    const brotli = { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } };
    await writeFile(`${file}.br`, await promisify(brotliCompress)(content, brotli));
    await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}

if (import.meta.main) {
  try {
    await buildSite();
    console.log('The site is built in dist/.');
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
