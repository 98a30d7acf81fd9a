import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { DCZ_MAGIC, DIGITS, successorsOf } from '../server/dictionaries.ts';

/** Files of earlier builds, by when they were made. */
const EARLIER = '.cache/releases';
/** So many releases are remembered: a phone that was away for longer fetches what anybody does. */
const MOST = 3;
const { ZSTD_c_compressionLevel: LEVEL, ZSTD_c_windowLog: WINDOW } = constants;

/** Before a build takes its place: what phones may have of the one that is there. */
export async function rememberRelease(site: string): Promise<void> {
  if (!existsSync(path.join(site, '_headers'))) return;
  const made = (await stat(path.join(site, '_headers'))).mtimeMs.toFixed(0);
  const folder = path.join(EARLIER, made);
  for (const file of await filesOf(site)) {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await copyFile(path.join(site, file), path.join(folder, file));
  }
  for (const old of (await earlierReleases()).slice(0, -MOST)) await rm(old, { recursive: true });
}

export async function earlierReleases(): Promise<string[]> {
  if (!existsSync(EARLIER)) return [];
  return (await readdir(EARLIER)).toSorted().map((name) => path.join(EARLIER, name));
}

/** Beside each file that has a predecessor in one of these releases: what differs, where that is less than half of it. */
export async function writeDeltas(site: string, releases: readonly string[]): Promise<void> {
  const files = await filesOf(site);
  const contentOf = new Map(await Promise.all(files.map(async (file) => [file, await read(site, file)] as const)));
  for (const release of releases) {
    for (const file of await filesOf(release)) {
      const earlier = await read(release, file);
      const successors = files.filter((each) => successorsOf(`/${each}`) === successorsOf(`/${file}`));
      for (const successor of successors) {
        const content = contentOf.get(successor)!;
        if (content.equals(earlier)) continue;
        const sum = createHash('sha256').update(earlier).digest();
        const params = { [LEVEL]: 19, [WINDOW]: windowFor(content.length + earlier.length) };
        const packed = await promisify(zstdCompress)(content, { params, dictionary: earlier });
        const delta = Buffer.concat([DCZ_MAGIC, sum, packed]);
        const whole = (await stat(path.join(site, `${successor}.br`))).size;
        if (2 * delta.length > whole) continue;
        await writeFile(path.join(site, `${successor}.${sum.toString('hex').slice(0, DIGITS)}.dcz`), delta);
      }
    }
  }
}

const read = (folder: string, file: string) => readFile(path.join(folder, file));

/** The dictionary must be within the window, which has 8 MB at the most. */
const windowFor = (bytes: number) => Math.min(23, Math.max(10, Math.ceil(Math.log2(bytes))));

async function filesOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll(path.sep, '/'));
  return names.filter((name) => successorsOf(`/${name}`)).toSorted();
}
