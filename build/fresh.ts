import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readEnvironment } from './environment.ts';

const SOURCES = ['index.html', 'mesa.html', 'package-lock.json', 'vite.config.ts', 'src', 'sw', 'public', 'build'];
const STAMP = '.cache/built';

/** What a machine that only serves has not: a release, or an installation without what building needs. */
const BUILDER = 'node_modules/vite';

/** Builds when there is no build, or it is older than its sources or its environment. */
export async function buildIfStale(): Promise<void> {
  if (!existsSync(BUILDER) || !(await isStale())) return;
  console.log('Building the site (a few seconds) …');
  // In a process that ends: it needs more memory than all the rest.
  const build = spawn(process.execPath, ['build/site.ts'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(build, 'close')) as [number | null];
  if (code !== 0) throw new Error('The site was not built.');
}

export async function isStale(): Promise<boolean> {
  const built = existsSync('dist/_headers') && existsSync(STAMP) ? await readFile(STAMP, 'utf8') : undefined;
  return built !== (await fingerprint());
}

/** A build that stops in the middle is none, whatever it has left: without its last step `_headers` is no policy. */
export const markUnbuilt = () => rm(STAMP, { force: true });

/** Notes what the build was made from. */
export async function markBuilt(fromThis: string): Promise<void> {
  await mkdir(path.dirname(STAMP), { recursive: true });
  await writeFile(STAMP, fromThis);
}

export async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(readEnvironment()));
  for (const source of SOURCES) {
    const isFolder = (await stat(source)).isDirectory();
    const files = isFolder
      ? (await readdir(source, { recursive: true })).map((file) => path.join(source, file))
      : [source];
    // The compiler's notes beside the sources are made anew by each check of the types.
    for (const file of files.filter((name) => !name.endsWith('.tsbuildinfo')).toSorted()) {
      const about = await stat(file);
      if (about.isFile()) hash.update(`${file} ${about.size} ${about.mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
