import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { buildIfStale } from '../../build/fresh.ts';
import { useOwnSettings } from '../own-settings.ts';

// A phone may not have opened the site for months: what was once published is kept, and must update to what is.
// To keep the present build: node tests/releases/archive.ts <name>

const FOLDER = import.meta.dirname;
/** Pictures are not what a release breaks. */
const KEPT = /(_headers|\.(html|js|css|svg|woff2|webmanifest|txt))$/;

export async function releases(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((name) => name.endsWith('.br')).toSorted();
}

/** As it was in `dist/`. */
export async function unpackRelease(name: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'aeropuente-release-'));
  const files = JSON.parse(brotliDecompressSync(await readFile(path.join(FOLDER, name))).toString()) as object;
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(directory, file)), { recursive: true });
    await writeFile(path.join(directory, file), Buffer.from(content as string, 'latin1'));
  }
  return directory;
}

async function keepRelease(name: string, directory: string): Promise<void> {
  const names = (await readdir(directory, { recursive: true })).filter((file) => KEPT.test(file));
  const files: Record<string, string> = {};
  for (const file of names.toSorted()) files[file] = (await readFile(path.join(directory, file))).toString('latin1');
  await writeFile(path.join(FOLDER, `${name}.br`), brotliCompressSync(JSON.stringify(files)));
}

if (import.meta.main) {
  const [name] = process.argv.slice(2);
  if (!name) throw new Error('Usage: node tests/releases/archive.ts <name>');
  useOwnSettings();
  await buildIfStale();
  await keepRelease(name, 'dist');
  console.log(`The build in dist/ is kept as ${name}.`);
}
