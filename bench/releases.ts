import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildWith, FOLDERS, SOURCES } from '../tests/e2e/build-with.ts';

const run = promisify(execFile);
/** What the visitor's site is made of: a commit that changes none of it is no other release to a phone. */
const SHIPPED = ['index.html', 'src', 'sw', 'public', 'build', ':!src/desk', ':!src/content/desk*', ':!sw/desk.ts'];

export interface Commit {
  readonly hash: string;
  readonly says: string;
}

/** The latest that changed the site, the newest first, as far as this clone goes back. */
export async function commitsOfSite(count: number): Promise<Commit[]> {
  const { stdout } = await run('git', ['log', '--first-parent', `-${count}`, '--format=%h %s', '--', ...SHIPPED]);
  return stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ hash: line.split(' ')[0]!, says: line.slice(line.indexOf(' ') + 1) }));
}

/** The site as it was, built with the packages of today. */
export async function buildCommit({ hash }: Commit, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const archive = path.join(directory, 'archive.tar');
  await run('git', ['archive', '--output', archive, hash, ...SOURCES, ...FOLDERS]);
  await run('tar', ['-xf', archive, '-C', directory]);
  await symlink(path.resolve('node_modules'), path.join(directory, 'node_modules'));
  await run(process.execPath, ['build/site.ts'], { cwd: directory });
  return path.join(directory, 'dist');
}

/** These have their own import of React, which has to be the other one too. */
const OF_REACT = ['react', 'react-dom', 'scheduler', 'react-leaflet', '@react-leaflet'];

/** The site of today with another release of React, which npm fetches. */
export async function buildWithReact(version: string, directory: string): Promise<string> {
  const fetched = path.join(directory, 'fetched');
  await mkdir(fetched, { recursive: true });
  const packages = [`react@${version}`, `react-dom@${version}`];
  await run('npm', ['install', '--prefix', fetched, '--no-audit', '--no-fund', '--ignore-scripts', ...packages]);
  // Under its usual name: what is elsewhere would be taken for source.
  const own = path.join(directory, 'packages', 'node_modules');
  await mkdir(own, { recursive: true });
  for (const name of await readdir('node_modules'))
    if (!OF_REACT.includes(name)) await symlink(path.resolve('node_modules', name), path.join(own, name));
  for (const name of OF_REACT) await cp(path.resolve('node_modules', name), path.join(own, name), { recursive: true });
  for (const name of ['react', 'react-dom', 'scheduler']) {
    await rm(path.join(own, name), { recursive: true });
    await cp(path.join(fetched, 'node_modules', name), path.join(own, name), { recursive: true });
  }
  const site = path.join(directory, 'site');
  await buildWith(site, {}, undefined, own);
  return path.join(site, 'dist');
}
