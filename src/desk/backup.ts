import type { Bilingual } from '../content/bilingual.ts';
import { desk } from '../content/desk.ts';
import { duration } from './lead.ts';

/** As /healthz of the server has it that serves the site; a static host has none. */
export interface Backup {
  readonly at: string | null;
  readonly ok: boolean;
}

/** Null where nobody makes backups, or the site is served by something else. */
export async function readBackup(): Promise<Backup | null> {
  const response = await fetch('/healthz');
  const { backup } = (await response.json()) as { backup?: Backup };
  return typeof backup?.ok === 'boolean' ? backup : null;
}

export function backupInWords({ at, ok }: Backup, now: number): Bilingual {
  const { made, failing, never } = desk.figures.backup;
  if (at === null) return never;
  const ago = duration(Math.max(0, now - Date.parse(at)));
  return ok ? made(ago) : failing(ago);
}
