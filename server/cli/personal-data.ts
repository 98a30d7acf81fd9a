import type { SupabaseClient } from '@supabase/supabase-js';
import { OperatorError } from '../language.ts';
import { typedHeader } from '../../src/lead/typed-header.ts';

export interface PersonQuote {
  readonly quote_id: string;
  readonly folio: string;
  readonly created_at: string;
  readonly nombre: string;
  readonly empresa: string | null;
  readonly email: string | null;
  readonly telefono: string;
  readonly promociones: boolean;
  readonly promociones_retirada: string | null;
  readonly aviso: string | null;
  readonly blocked_at: string | null;
  readonly last_word: string | null;
}

export interface PersonRow {
  readonly place: string;
  readonly contents: Readonly<Record<string, unknown>>;
}

interface Consent {
  readonly folio: string;
  readonly email: string | null;
  readonly nombre: string;
  readonly empresa: string | null;
  readonly given_at: string;
  readonly withdrawn_at: string | null;
  readonly aviso: string | null;
}

export type Corrections = Partial<Readonly<Record<'nombre' | 'empresa' | 'email' | 'telefono', string>>>;

export interface PersonalData {
  /** Finds quotes by e-mail or phone, blocked ones too, oldest first. */
  quotesOf(person: string): Promise<PersonQuote[]>;
  /** Resolves with all rows of these quotes, from every table. */
  rowsOf(ids: readonly string[]): Promise<PersonRow[]>;
  /**
   * Resolves with the messages that the person sent by mail or WhatsApp and that nobody assigned to a quote, with their
   * files.
   */
  messagesOf(person: string): Promise<PersonRow[]>;
  /**
   * Corrects quotes. Resolves with the ids of the quotes that were not corrected, because the correction would have
   * made them equal to another quote of the same day.
   */
  correct(ids: readonly string[], corrections: Corrections): Promise<string[]>;
  block(ids: readonly string[]): Promise<void>;
  erase(ids: readonly string[]): Promise<void>;
  discardMessages(ids: readonly string[]): Promise<void>;
  eraseMessages(ids: readonly string[]): Promise<void>;
  consents(): Promise<Consent[]>;
}

/** Maximum number of ids in one request. */
const BATCH = 100;
/** Maximum number of rows in one response. It is low, because a row may contain a part of a customer's file. */
const PAGE = 100;

export function personalDataIn(client: () => Promise<SupabaseClient>): PersonalData {
  async function pages<Row>(table: string, order: string, person?: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (;;) {
      let query = (await client()).from(table).select('*').order(order);
      if (person !== undefined) query = query.setHeader('x-person', person);
      const { data, error } = await query.range(rows.length, rows.length + PAGE - 1);
      if (error)
        throw new OperatorError({
          es: `No se pudieron leer los datos: ${error.message}`,
          en: `The data could not be read: ${error.message}`,
        });
      rows.push(...(data as Row[]));
      // A server may return shorter pages than requested, so only an empty page is the last.
      if (data.length === 0) return rows;
    }
  }
  async function inParts(ids: readonly string[], work: (part: string[]) => PromiseLike<void>): Promise<void> {
    for (let at = 0; at < ids.length; at += BATCH) await work(ids.slice(at, at + BATCH));
  }
  const requireDone = ({ error }: { error: { readonly message: string } | null }) => {
    if (error)
      throw new OperatorError({
        es: `No se pudieron cambiar los datos: ${error.message}`,
        en: `The data could not be changed: ${error.message}`,
      });
  };
  return {
    async quotesOf(person) {
      const found = await pages<PersonQuote>('person_quotes', 'quote_id', typedHeader(person));
      return found.toSorted((one, other) => one.created_at.localeCompare(other.created_at));
    },
    async rowsOf(ids) {
      const rows: PersonRow[] = [];
      await inParts(ids, async (part) => {
        rows.push(...(await pages<PersonRow>('person_rows', 'number', part.join())));
      });
      return rows;
    },
    messagesOf: (person) => pages<PersonRow>('person_messages', 'number', typedHeader(person)),
    async correct(ids, corrections) {
      const unchanged: string[] = [];
      for (const id of ids) {
        const { error } = await (await client()).from('quotes').update(corrections).eq('id', id);
        if (error?.code === '23505') unchanged.push(id);
        else requireDone({ error });
      }
      return unchanged;
    },
    block: (ids) =>
      inParts(ids, async (part) => {
        const desk = (await client()).from('quote_desk');
        const blocked_at = new Date().toISOString();
        requireDone(await desk.update({ blocked_at }).in('quote_id', part).is('blocked_at', null));
      }),
    erase: (ids) =>
      inParts(ids, async (part) => {
        const quotes = (await client()).from('quotes');
        requireDone(await quotes.delete().in('id', part));
      }),
    discardMessages: (ids) =>
      inParts(ids, async (part) => {
        const messages = (await client()).from('received_messages');
        requireDone(await messages.update({ state: 'descartado' }).in('id', part).eq('state', 'pendiente'));
      }),
    eraseMessages: (ids) =>
      inParts(ids, async (part) => {
        const messages = (await client()).from('received_messages');
        requireDone(await messages.delete().in('id', part));
      }),
    consents: () => pages<Consent>('promotion_consents', 'quote_id'),
  };
}

export function byPlace(rows: readonly PersonRow[]): Record<string, object[]> {
  const places: Record<string, object[]> = {};
  for (const { place, contents } of rows) (places[place] ??= []).push(contents);
  return places;
}
