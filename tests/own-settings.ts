import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EARLIER_NAMES } from '../build/setting-names.ts';
import { LIMITS } from '../server/limits.ts';

/**
 * Makes every setting of the shell and of .env empty for the tests. The tests erase quotes, and must not reach a
 * developer's own project.
 */
export function useOwnSettings(): void {
  for (const name of settingNames()) process.env[name] = '';
  // The commands print in the language of the terminal, and the tests expect English.
  for (const name of ['LC_ALL', 'LC_MESSAGES']) delete process.env[name];
  process.env['LANG'] = 'C';
}

export function settingNames(): string[] {
  const example = readFileSync(path.join(import.meta.dirname, '../.env.example'), 'utf8');
  const listed = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  return [...listed, ...Object.values(EARLIER_NAMES), ...Object.keys(LIMITS), 'SUPABASE_URL', 'INIT_CWD'];
}
