import { readAnswerRow, type AnswerRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';

const LAST = 50;

export type PricedAnswer = AnswerRow & { readonly quote_id: string };

export const readLastOffers = (): Promise<readonly PricedAnswer[]> =>
  rows(
    backend
      .from('quote_answers')
      .select('*')
      .eq('kind', 'oferta')
      .order('created_at', { ascending: false })
      .limit(LAST),
    (row) => {
      const answer = readAnswerRow(row);
      const { quote_id } = row as { quote_id?: unknown };
      return answer && typeof quote_id === 'string' ? { ...answer, quote_id } : undefined;
    },
  );
