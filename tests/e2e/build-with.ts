import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Files and folders that a build reads. */
export const SOURCES = [
  'index.html',
  'mesa.html',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'vite.config.ts',
];
export const FOLDERS = ['src', 'sw', 'public', 'build', 'server'];
const LITTLE_EFFORT = new URL('little-effort.ts', import.meta.url).href;

/** Builds the sources in a separate folder, with this environment. `changed` replaces a text in one file. */
export async function buildWith(
  directory: string,
  environment: Record<string, string>,
  changed?: { readonly file: string; readonly from: string; readonly to: string },
  packages = 'node_modules',
): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  for (const source of [...SOURCES, ...FOLDERS]) await cp(source, path.join(directory, source), { recursive: true });
  if (changed) {
    const file = path.join(directory, changed.file);
    const text = await readFile(file, 'utf8');
    if (!text.includes(changed.from)) throw new Error(`${changed.file} does not say '${changed.from}'.`);
    await writeFile(file, text.replace(changed.from, changed.to));
  }
  await symlink(path.resolve(packages), path.join(directory, 'node_modules'));
  const build = spawn(process.execPath, ['--import', LITTLE_EFFORT, 'build/site.ts'], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  build.stderr.on('data', (text: Buffer) => (output += text));
  const [code] = (await once(build, 'close')) as [number];
  if (code !== 0) throw new Error(`The site was not built (${code}). ${output}`);
}
