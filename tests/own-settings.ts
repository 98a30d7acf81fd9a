import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EARLIER_NAMES } from '../build/setting-names.ts';
import { LIMITS } from '../server/limits.ts';

/**
 * For every runner, before it reads anything: whatever is set for somebody's own project, in a shell or in .env, is no
 * setting of the tests, which send quotes, answer and erase. A blank is none, and what reads .env leaves it blank.
 */
export function useOwnSettings(): void {
  for (const name of settingNames()) process.env[name] = '';
}

export function settingNames(): string[] {
  const example = readFileSync(path.join(import.meta.dirname, '../.env.example'), 'utf8');
  const listed = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name!);
  return [...listed, ...Object.values(EARLIER_NAMES), ...Object.keys(LIMITS), 'SUPABASE_URL'];
}
