import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { FOLDERS, SOURCES } from '../tests/e2e/build-with.ts';

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
