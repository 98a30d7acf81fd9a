import { createStore } from '../../ui/create-store.ts';
import { readFolio } from '../../lead/folio.ts';
import { typedHeader } from '../../lead/typed-header.ts';
import { readAlertRow, readLeadRow, readSenderRow, type AlertRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';
import { serverNow } from './server-clock.ts';
import { RequestError } from './request-error.ts';
import { byUrgency, type Lead } from '../lead/lead.ts';

const EVERY = 4000;
/** In a tab in the background it counts and rings. */
const EVERY_IN_BACKGROUND = 15_000;
/** A row is stamped before it is there to be read, by as much as the longest write may take. */
const LONGEST_WRITE = 10_000;
const PAGE = 1000;
const DAYS_BACK = 30 * 86_400_000;
/** A quote that was blocked changes no row that we may read: now and then all is read anew. */
const ALL_ANEW = 5 * 60_000;

export interface Known {
  /** In the order of urgency. */
  readonly leads: readonly Lead[];
  /** When all of it was right, by this computer's clock. */
  readonly heardAt: number | undefined;
  readonly isFresh: boolean;
}

const NOTHING: Known = { leads: [], heardAt: undefined, isFresh: true };

export const known = createStore<Known>(NOTHING);

let index = { of: NOTHING.leads, byId: new Map<string | null, Lead>() };

/** A figure that is looked at asks for all that it counts, one after the other. */
export function leadById(id: string | null): Lead | undefined {
  const { leads } = known.read();
  if (index.of !== leads) index = { of: leads, byId: new Map(leads.map((lead) => [lead.quote_id, lead])) };
  return index.byId.get(id);
}

/**
 * Takes rows in that are new or newer than what is known; answers those of which nothing was known. `before`: the versions
 * that were known before all was asked for. What is older than those is so since an older backup was brought back.
 */
function learn(read: readonly Lead[], before?: ReadonlyMap<string, number>): readonly Lead[] {
  const byId = new Map(known.read().leads.map((lead) => [lead.quote_id, lead]));
  const news = read.filter(({ quote_id, version }) => {
    const has = byId.get(quote_id)?.version ?? 0;
    return version > has || (version < has && has === before?.get(quote_id));
  });
  if (news.length === 0) return [];
  const unknown = news.filter(({ quote_id }) => !byId.has(quote_id));
  for (const lead of news) byId.set(lead.quote_id, lead);
  known.set({ ...known.read(), leads: [...byId.values()].toSorted(byUrgency) });
  return unknown;
}

function forgetLead(id: string): void {
  known.set({ ...known.read(), leads: known.read().leads.filter(({ quote_id }) => quote_id !== id) });
}

const leadsOf = () => backend.from('desk_leads').select('*');

/** Reads one again; undefined where it may not be read any more. */
export async function readLead(id: string): Promise<Lead | undefined> {
  const [lead] = await rows(leadsOf().eq('quote_id', id), readLeadRow);
  if (lead) learn([lead]);
  else forgetLead(id);
  return lead;
}

/** One of another time than is listed stays for as long as it may be looked at. */
export function keep(lead: Lead): void {
  sought.add(lead.quote_id);
  if (!leadById(lead.quote_id)) learn([lead]);
}

/** Reads one of any time, which stays in the list however long ago it changed; undefined where it may not be read. */
export async function fetchLead(id: string): Promise<Lead | undefined> {
  sought.add(id);
  return leadById(id) ?? readLead(id).catch(() => undefined);
}

/** Those of all time that have what was typed, the newest first. They are listed nowhere else. */
export async function searchLeads(typed: string): Promise<readonly Lead[]> {
  const folio = readFolio(typed);
  const named = folio
    ? await rows(leadsOf().eq('folio', folio).order('created_at', { ascending: false }), readLeadRow)
    : [];
  // Eight letters of a name may happen to be a folio.
  if (named.length > 0) return named;
  const found = await rows<{ quote_id: string }>(
    backend.from('desk_search').select('quote_id').setHeader('x-search', typedHeader(typed)),
  );
  if (found.length === 0) return [];
  const ids = found.map(({ quote_id }) => quote_id);
  return rows(leadsOf().in('quote_id', ids).order('created_at', { ascending: false }), readLeadRow);
}

export async function findByFolio(folio: string): Promise<Lead | undefined> {
  const [lead] = await rows(
    leadsOf().eq('folio', folio).order('created_at', { ascending: false }).limit(1),
    readLeadRow,
  );
  if (lead) {
    sought.add(lead.quote_id);
    learn([lead]);
  }
  return lead;
}
const sought = new Set<string>();

/** The most rows that an answer had: how many those may be is the server's to say, and a shorter one is the last. */
let longest = 0;

function isLast({ length }: readonly unknown[]): boolean {
  const isShort = length === 0 || length < longest;
  longest = Math.max(longest, length);
  return isShort;
}

async function* pagesOf<Row>(
  read: (from: number, to: number) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; ;) {
    const page = await read(offset, offset + PAGE - 1);
    yield page;
    if (isLast(page)) return;
    offset += page.length;
  }
}

async function allOf<Row>(pages: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const all: Row[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** All that came since, whatever became of them. */
export function readSince(since: number): Promise<readonly Lead[]> {
  const read = () => leadsOf().gte('created_at', new Date(since).toISOString()).order('created_at').order('quote_id');
  return allOf(pagesOf((from, to) => rows(read().range(from, to), readLeadRow)));
}

/** The leads of the last 30 days. */
export function readAlerts(): Promise<readonly AlertRow[]> {
  const since = new Date(serverNow() - DAYS_BACK).toISOString();
  const read = () => backend.from('desk_alerts').select('sent_at,shown_at,taken_at').gte('sent_at', since);
  return allOf(pagesOf((from, to) => rows(read().order('sent_at').order('quote_id').range(from, to), readAlertRow)));
}

/** When alerts were last looked for, or null: never. */
export async function readSender(): Promise<string | null | undefined> {
  const [sender] = await rows(backend.from('alert_sender').select('ran_at'), readSenderRow);
  return sender?.ran_at;
}

function openOnes(): AsyncGenerator<readonly Lead[]> {
  const read = () => leadsOf().is('open', true).order('asked_at').order('quote_id');
  return pagesOf((from, to) => rows(read().range(from, to), readLeadRow));
}

/** By where the last page ended and not by its number: a row that changes meanwhile moves behind it. */
async function* changesSince(start: number): AsyncGenerator<readonly Lead[]> {
  // More than a page may be of one moment: then the next is counted from there.
  for (let since = start, offset = 0; ;) {
    const page = await rows(
      leadsOf()
        .gte('updated_at', new Date(since).toISOString())
        .order('updated_at')
        .order('quote_id')
        .range(offset, offset + PAGE - 1),
      readLeadRow,
    );
    yield page;
    if (isLast(page)) return;
    const last = Date.parse(page.at(-1)!.updated_at);
    offset = last > since ? 0 : offset + page.length;
    since = Math.max(last, since);
  }
}

/** Asks every four seconds while the page is looked at, and at once when it comes back. */
export function pollLeads(onHeard: () => void, onCame: (leads: readonly Lead[]) => void): () => void {
  let cursor = 0;
  let readAll = 0;
  let heardAt: number | undefined;
  let timer: ReturnType<typeof setTimeout>;
  let asking = false;
  let stopped = false;

  function tellOfNew(unknown: readonly Lead[]): void {
    const came = unknown.filter(({ status, open, entregada }) => open && status === 'nueva' && !entregada);
    if (came.length > 0) onCame(came);
  }

  async function askAll(): Promise<void> {
    const began = Date.now();
    // A server that was started anew may give fewer rows at once.
    longest = 0;
    const isFirst = readAll === 0;
    const before = new Map(known.read().leads.map(({ quote_id, version }) => [quote_id, version]));
    const seen = new Set<string>();
    const take = (page: readonly Lead[]) => {
      if (stopped) return;
      const unknown = learn(page, before);
      // Leads that wait already stand before whoever has just come in.
      if (!isFirst) tellOfNew(unknown);
      for (const { quote_id, updated_at } of page) {
        seen.add(quote_id);
        cursor = Math.max(cursor, Date.parse(updated_at));
      }
    };
    for await (const page of openOnes()) take(page);
    if (stopped) return;
    for await (const page of changesSince(serverNow() - DAYS_BACK)) take(page);
    const extra = [...sought].filter((id) => !seen.has(id)).slice(-100);
    if (extra.length > 0) take(await rows(leadsOf().in('quote_id', extra), readLeadRow));
    if (stopped) return;
    const { leads } = known.read();
    // One that was put on file meanwhile may be on none of these pages.
    const left = leads.filter(({ quote_id }) => seen.has(quote_id) || !before.has(quote_id));
    // Where nothing is on file yet: from now on.
    cursor ||= serverNow();
    if (left.length < leads.length) known.set({ ...known.read(), leads: left });
    readAll = began;
  }

  async function askForChanges(): Promise<void> {
    for await (const page of changesSince(cursor - LONGEST_WRITE)) {
      if (stopped) return;
      tellOfNew(learn(page));
      for (const { updated_at } of page) cursor = Math.max(cursor, Date.parse(updated_at));
    }
  }

  async function ask(): Promise<void> {
    if (asking || stopped) return;
    clearTimeout(timer);
    asking = true;
    const began = Date.now();
    try {
      await (readAll === 0 || began - readAll > ALL_ANEW ? askAll() : askForChanges());
      if (stopped) return;
      heardAt = Date.now();
      // A row that was heard again and again is no news to the page.
      if (!known.read().isFresh || known.read().heardAt === undefined)
        known.set({ ...known.read(), heardAt, isFresh: true });
      onHeard();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (!stopped) lost();
    } finally {
      asking = false;
      if (!stopped) timer = setTimeout(() => void ask(), Math.max(0, began + pause() - Date.now()));
    }
  }

  function look(): void {
    if (document.visibilityState === 'visible') void ask();
  }

  const pause = () => (document.visibilityState === 'visible' ? EVERY : EVERY_IN_BACKGROUND);

  function lost(): void {
    known.set({ ...known.read(), heardAt, isFresh: false });
  }

  document.addEventListener('visibilitychange', look);
  addEventListener('focus', look);
  addEventListener('online', look);
  addEventListener('offline', lost);
  look();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', look);
    removeEventListener('focus', look);
    removeEventListener('online', look);
    removeEventListener('offline', lost);
    sought.clear();
    known.set(NOTHING);
  };
}
