import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, zstdCompress } from 'node:zlib';
import { DCZ_MAGIC, successorsOf } from './dictionaries.ts';
import type { Site } from './site.ts';

/** So many releases before this one are remembered: a phone that was away for longer fetches what anybody does. */
const MOST = 3;
const { ZSTD_c_compressionLevel: LEVEL, ZSTD_c_windowLog: WINDOW } = constants;

/**
 * What phones may have of this release is remembered in the folder. Resolves with the folders of those before it, the
 * newest first.
 */
export async function rememberRelease(directory: string, folder: string): Promise<string[]> {
  const hash = createHash('sha256');
  const files = await filesOf(directory);
  for (const file of files) hash.update(`${file}\n`).update(await read(directory, file));
  const sum = hash.digest('hex').slice(0, 16);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const isKept = async () => (await readdir(folder)).some((name) => name.endsWith(`-${sum}`));
  if (!(await isKept())) {
    const unfinished = path.join(folder, `unfinished-${process.pid}`);
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

/** Of each file that has a predecessor in one of these releases: what differs, where that is less than half of it. */
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
 * The parts of the page as these releases had them: a page that was open when its release was replaced, and has no worker
 * yet that sets them aside, asks for the rest of its own (sw/earlier-files.ts).
 */
export async function keepEarlier(site: Site, releases: readonly string[]): Promise<void> {
  for (const release of releases)
    for (const file of (await filesOf(release)).filter((name) => name.startsWith('assets/'))) {
      const content = await read(release, file);
      const params = { [constants.BROTLI_PARAM_QUALITY]: 6 };
      site.keep(`/${file}`, content, await promisify(brotliCompress)(content, { params }));
    }
}

const read = (folder: string, file: string) => readFile(path.join(folder, file));

/** The dictionary must be within the window, which has 8 MB at the most. */
const windowFor = (bytes: number) => Math.min(23, Math.max(10, Math.ceil(Math.log2(bytes))));

async function filesOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll(path.sep, '/'));
  return names.filter((name) => successorsOf(`/${name}`)).toSorted();
}
