import type { Bilingual } from '../../content/bilingual.ts';
import { momentInWords } from '../../content/dates.ts';
import { deskFigures } from '../../content/desk-figures.ts';
import { isSilent } from '../../lead/alert-sender.ts';

/** Returns a warning if no alerts have been sent for a while. */
export function senderInWords(ranAt: string | null, now: number): Bilingual | undefined {
  const { late, never } = deskFigures.sender;
  if (ranAt === null) return never;
  const at = Date.parse(ranAt);
  return isSilent(at, now) ? late(momentInWords(at, now)) : undefined;
}
