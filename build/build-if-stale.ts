import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { builtSettings, readEnvironment } from './environment.ts';

const SOURCES = ['index.html', 'mesa.html', 'package-lock.json', 'vite.config.ts', 'src', 'sw', 'public', 'build'];
const STAMP = '.cache/built';

/** Package that is needed only to build. If it is missing, as in a release, nothing is built. */
const BUILDER = 'node_modules/vite';

/** Builds the site if the build is missing, or older than its sources or environment. */
export async function buildIfStale(): Promise<void> {
  if (!existsSync(BUILDER) || !(await isStale())) return;
  console.log('Building the site (a few seconds) …');
  // The build runs in a separate process, because building needs more memory than everything else.
  const build = spawn(process.execPath, ['build/site.ts'], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(build, 'close')) as [number | null];
  if (code !== 0) throw new Error('The site was not built.');
}

export async function isStale(): Promise<boolean> {
  const built = existsSync('dist/_headers') && existsSync(STAMP) ? await readFile(STAMP, 'utf8') : undefined;
  return built !== (await fingerprint());
}

/**
 * Removes the file that marks a finished build, so that an interrupted build counts as stale. Such a build may lack the
 * security policy, which the last step writes into `_headers`.
 */
export const markUnbuilt = () => rm(STAMP, { force: true });

export async function markBuilt(fromThis: string): Promise<void> {
  await mkdir(path.dirname(STAMP), { recursive: true });
  await writeFile(STAMP, fromThis);
}

export async function fingerprint(): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(builtSettings(readEnvironment())));
  for (const source of SOURCES) {
    const isFolder = (await stat(source)).isDirectory();
    const files = isFolder
      ? (await readdir(source, { recursive: true })).map((file) => path.join(source, file))
      : [source];
    // Files of the compiler (.tsbuildinfo) do not count, because each type check rewrites them.
    for (const file of files.filter((name) => !name.endsWith('.tsbuildinfo')).toSorted()) {
      const about = await stat(file);
      if (about.isFile()) hash.update(`${file} ${about.size} ${about.mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
