import { spawnSync } from 'node:child_process';

function git(folder: string, parameters: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('git', parameters, { cwd: folder, encoding: 'utf8', input });
  if (status !== 0) throw new Error(`git ${parameters.join(' ')}: ${stderr.trim()}`);
  return stdout.trim();
}

/**
 * Throws if the tag exists, or if changes are not committed: the tagged commit would then lack sources of the archive.
 */
export function requireTaggable(tag: string, folder = '.'): void {
  if (git(folder, ['status', '--porcelain', '--untracked-files=no']) !== '')
    throw new Error(`${tag} would not have your changes: commit them first.`);
  if (git(folder, ['tag', '--list', tag]) !== '')
    throw new Error(`${tag} is there already: set the next version in package.json and CHANGELOG.md.`);
}

export function makeTag(tag: string, notes: string, folder = '.'): void {
  // Without this option Git drops headings, because it takes lines that begin with # for comments.
  git(folder, ['tag', '--annotate', '--cleanup=whitespace', '--file=-', tag], notes);
}
