import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EARLIER_NAMES } from '../build/setting-names.ts';
import { LIMITS } from '../server/limits.ts';

/**
 * Blanks the settings in the shell and .env before a runner reads them. The tests erase quotes, and must not reach a
 * developer's own project.
 */
export function useOwnSettings(): void {
  for (const name of settingNames()) process.env[name] = '';
  // Tests expect English output, whatever the language of the terminal.
  for (const name of ['LC_ALL', 'LC_MESSAGES']) delete process.env[name];
  process.env['LANG'] = 'C';
}

export function settingNames(): string[] {
  const example = readFileSync(path.join(import.meta.dirname, '../.env.example'), 'utf8');
  const listed = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  return [...listed, ...Object.values(EARLIER_NAMES), ...Object.keys(LIMITS), 'SUPABASE_URL', 'INIT_CWD'];
}
