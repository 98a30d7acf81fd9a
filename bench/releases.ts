import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { buildWith, FOLDERS, SOURCES } from '../tests/e2e/build-with.ts';

const run = promisify(execFile);
/** Source files of the visitors' site. A commit that changes none of them does not count as a release. */
const SHIPPED = ['index.html', 'src', 'sw', 'public', 'build', ':!src/desk', ':!src/content/desk*', ':!sw/desk.ts'];

export interface Commit {
  readonly hash: string;
  readonly says: string;
}

/**
 * Returns the latest `count` commits that changed the site, newest first; fewer if this clone has only a part of the
 * history.
 */
export async function commitsOfSite(count: number): Promise<Commit[]> {
  const { stdout } = await run('git', ['log', '--first-parent', `-${count}`, '--format=%h %s', '--', ...SHIPPED]);
  return stdout
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ hash: line.split(' ')[0]!, says: line.slice(line.indexOf(' ') + 1) }));
}

/** Builds an earlier commit with today's packages. */
export async function buildCommit({ hash }: Commit, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true });
  const archive = path.join(directory, 'archive.tar');
  await run('git', ['archive', '--output', archive, hash, ...SOURCES, ...FOLDERS]);
  await run('tar', ['-xf', archive, '-C', directory]);
  await symlink(path.resolve('node_modules'), path.join(directory, 'node_modules'));
  await run(process.execPath, ['build/site.ts'], { cwd: directory });
  return path.join(directory, 'dist');
}

/**
 * React, and the packages that import React. These packages are copied, because a linked package would import today's
 * React.
 */
const OF_REACT = ['react', 'react-dom', 'scheduler', 'react-leaflet', '@react-leaflet'];

/** Builds today's site with another release of React, fetched by npm. */
export async function buildWithReact(version: string, directory: string): Promise<string> {
  const fetched = path.join(directory, 'fetched');
  await mkdir(fetched, { recursive: true });
  const packages = [`react@${version}`, `react-dom@${version}`];
  await run('npm', ['install', '--prefix', fetched, '--no-audit', '--no-fund', '--ignore-scripts', ...packages]);
  // The folder must be named node_modules: the build treats files of any other folder as our own source.
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
