import { folioOf } from '../lead/folio.ts';
import { readHandOff } from '../content/hand-off.ts';
import { backend, rows, Trouble } from './backend.ts';
import type { Lead } from './lead.ts';
import { readLead, seekFolio } from './leads.ts';

export type Pasted =
  | { readonly kind: 'stored' | 'known'; readonly lead: Lead }
  | { readonly kind: 'unread' | 'repeated' | 'unreachable' | 'refused' };

/** The quote that a message hands over, put on file under its own id, or the one that is there. */
export async function putOnFile(message: string): Promise<Pasted> {
  const quote = readHandOff(message);
  try {
    if (!quote) {
      // A folio alone cannot become a row, and may have one.
      const folio = /AP-\w{4}-\w{4}/i.exec(message)?.[0].toUpperCase();
      const lead = folio && (await seekFolio(folio));
      return lead ? { kind: 'known', lead } : { kind: 'unread' };
    }
    // Only who shows the id of the corrected quote ends its wait.
    const corrected = quote.reemplaza && (await seekFolio(quote.reemplaza));
    const shown = [quote.id, corrected && corrected.quote_id].filter(Boolean).join(',');
    const stored = await rows(
      backend
        .from('quotes')
        .upsert(quote, { onConflict: 'id', ignoreDuplicates: true })
        .select('id')
        .setHeader('x-submission-id', shown),
    );
    const lead = await readLead(quote.id);
    return lead ? { kind: stored.length > 0 ? 'stored' : 'known', lead } : { kind: 'refused' };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    if (error.code === '23505') return repeated(quote?.id);
    return { kind: error.kind };
  }
}

/** Under its own id it would have been known: another one says the same. */
async function repeated(id: string | undefined): Promise<Pasted> {
  const lead = id && (await seekFolio(folioOf(id)));
  return lead ? { kind: 'known', lead } : { kind: 'repeated' };
}
