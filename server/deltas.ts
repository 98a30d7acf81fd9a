import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, zstdCompress } from 'node:zlib';
import { DCZ_MAGIC, successorsOf } from './dictionaries.ts';
import type { Site } from './site.ts';

/** Number of earlier releases whose files are retained. A phone with an older release downloads whole files. */
const MOST = 3;
const { ZSTD_c_compressionLevel: LEVEL, ZSTD_c_windowLog: WINDOW } = constants;

/**
 * Saves a copy of this release's files, from which later releases make deltas. Resolves with the folders of earlier
 * releases, newest first.
 */
export async function rememberRelease(directory: string, folder: string): Promise<string[]> {
  const hash = createHash('sha256');
  const files = await filesOf(directory);
  for (const file of files) hash.update(`${file}\n`).update(await read(directory, file));
  const sum = hash.digest('hex').slice(0, 16);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // An earlier start that was interrupted may have left this folder.
  const unfinished = path.join(folder, 'unfinished');
  await rm(unfinished, { recursive: true, force: true });
  const isRetained = (await readdir(folder)).some((name) => name.endsWith(`-${sum}`));
  if (!isRetained) {
    for (const file of files) {
      await mkdir(path.dirname(path.join(unfinished, file)), { recursive: true });
      await copyFile(path.join(directory, file), path.join(unfinished, file));
    }
    await rename(unfinished, path.join(folder, `${Date.now()}-${sum}`));
  }
  const names = (await readdir(folder)).filter((name) => /^\d+-[0-9a-f]{16}$/.test(name)).toSorted();
  const earlier = names.filter((name) => !name.endsWith(`-${sum}`)).toReversed();
  for (const old of earlier.slice(MOST)) await rm(path.join(folder, old), { recursive: true });
  return earlier.slice(0, MOST).map((name) => path.join(folder, name));
}

/**
 * Makes deltas, small updates for browsers that have a file of an earlier release. A delta is offered only if it is
 * smaller than half of the whole file.
 */
export async function offerDeltas(site: Site, directory: string, releases: readonly string[]): Promise<void> {
  const files = await filesOf(directory);
  for (const release of releases) {
    for (const file of await filesOf(release)) {
      const earlier = await read(release, file);
      for (const successor of files.filter((each) => successorsOf(`/${each}`) === successorsOf(`/${file}`))) {
        const content = await read(directory, successor);
        if (content.equals(earlier)) continue;
        const sum = createHash('sha256').update(earlier).digest();
        const params = { [LEVEL]: 19, [WINDOW]: windowFor(content.length + earlier.length) };
        const packed = await promisify(zstdCompress)(content, { params, dictionary: earlier });
        const delta = Buffer.concat([DCZ_MAGIC, sum, packed]);
        const whole = existsSync(path.join(directory, `${successor}.br`))
          ? await read(directory, `${successor}.br`)
          : await promisify(brotliCompress)(content);
        if (2 * delta.length <= whole.length) site.offer(`/${successor}`, sum.toString('hex'), delta);
      }
    }
  }
}

/**
 * Serves the assets of earlier releases, because a page that was opened before an update still loads them. In browsers
 * with a service worker, sw/earlier-files.ts does this.
 */
export async function serveEarlier(site: Site, releases: readonly string[]): Promise<void> {
  for (const release of releases)
    for (const file of (await filesOf(release)).filter((name) => name.startsWith('assets/'))) {
      const content = await read(release, file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
      site.add(`/${file}`, content, await promisify(brotliCompress)(content, { params }));
    }
}

const read = (folder: string, file: string) => readFile(path.join(folder, file));

/**
 * Returns the size of Zstandard's window as a power of two, at most 8 MB, so that the window contains the file and its
 * dictionary.
 */
const windowFor = (bytes: number) => Math.min(23, Math.max(10, Math.ceil(Math.log2(bytes))));

async function filesOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll(path.sep, '/'));
  return names.filter((name) => successorsOf(`/${name}`)).toSorted();
}
