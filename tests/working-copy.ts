import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/** Copies the working tree, without what git ignores; the packages are linked. */
export function copyWorkingTree(to: string): void {
  for (const file of listed('ls-files', '--cached', '--others', '--exclude-standard'))
    if (existsSync(file)) cpSync(file, path.join(to, file), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(to, 'node_modules'));
}

export function listed(...parameters: readonly string[]): string[] {
  return execFileSync('git', parameters, { encoding: 'utf8' }).trim().split('\n');
}
