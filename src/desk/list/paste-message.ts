import { folioOf } from '../../lead/folio.ts';
import { readHandOff } from '../../content/hand-off.ts';
import { storeQuote } from '../api/quotes.ts';
import { RequestError } from '../api/request-error.ts';
import type { Lead } from '../lead/lead.ts';
import { readLead, findByFolio } from '../api/lead-feed.ts';

export type Pasted =
  | { readonly kind: 'stored' | 'known'; readonly lead: Lead }
  | { readonly kind: 'unread' | 'repeated' | 'unreachable' | 'refused' };

export const folioIn = (message: string): string | undefined => /AP-\w{4}-\w{4}/i.exec(message)?.[0].toUpperCase();

/** Stores the request in a pasted message. If the request is stored already, only returns its lead. */
export async function putOnFile(message: string): Promise<Pasted> {
  const quote = readHandOff(message);
  try {
    if (!quote) {
      // A message with only a folio has no request to store. The folio may belong to a stored request.
      const folio = folioIn(message);
      const lead = folio && (await findByFolio(folio));
      return lead ? { kind: 'known', lead } : { kind: 'unread' };
    }
    // The database marks the corrected quote as replaced only for a sender who knows its id, so the id is sent along.
    const corrected = quote.reemplaza && (await findByFolio(quote.reemplaza));
    const shown = [quote.id, corrected && corrected.quote_id].filter(Boolean).join(',');
    const isNew = await storeQuote(quote, { shown });
    const lead = await readLead(quote.id);
    return lead ? { kind: isNew ? 'stored' : 'known', lead } : { kind: 'refused' };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error.code === '23505') return repeated(quote?.id);
    return { kind: error.kind };
  }
}

/**
 * Returns the result for a request that the database refused because it is stored already. `known`: stored under this
 * id. `repeated`: only its content is stored, under another id.
 */
async function repeated(id: string | undefined): Promise<Pasted> {
  const lead = id && (await findByFolio(folioOf(id)));
  return lead ? { kind: 'known', lead } : { kind: 'repeated' };
}
