import type { Bilingual } from '../content/bilingual.ts';
import { momentInWords } from '../content/dates.ts';
import { desk } from '../content/desk.ts';
import { isSilent } from '../lead/alert-sender.ts';

/** Nothing, while alerts are sent. */
export function senderInWords(ranAt: string | null, now: number): Bilingual | undefined {
  const { late, never } = desk.figures.sender;
  if (ranAt === null) return never;
  const at = Date.parse(ranAt);
  return isSilent(at, now) ? late(momentInWords(at, now)) : undefined;
}
