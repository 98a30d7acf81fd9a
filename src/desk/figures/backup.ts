import type { Bilingual } from '../../content/bilingual.ts';
import { deskFigures } from '../../content/desk-figures.ts';
import type { Backup } from '../api/health.ts';
import { duration } from '../lead/lead.ts';

export function backupInWords({ at, ok }: Backup, now: number): Bilingual {
  const { made, failing, never } = deskFigures.backup;
  if (at === null) return never;
  const ago = duration(Math.max(0, now - Date.parse(at)));
  return ok ? made(ago) : failing(ago);
}
