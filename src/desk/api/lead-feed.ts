import { createStore } from '../../ui/create-store.ts';
import { readFolio } from '../../lead/folio.ts';
import { typedHeader } from '../../lead/typed-header.ts';
import { readAlertRow, readLeadRow, readSenderRow, type AlertRow } from '../../lead/rows.ts';
import { backend, rows } from './backend.ts';
import { serverNow } from './server-clock.ts';
import { RequestError } from './request-error.ts';
import { byUrgency, type Lead } from '../lead/lead.ts';

const EVERY = 4000;
/** Milliseconds between two reads in a background tab, which still counts leads and rings for new ones. */
const EVERY_IN_BACKGROUND = 15_000;
/**
 * Longest time in milliseconds between the time stamp of a row and its commit. Each read of changes begins this long
 * before the newest known change, so that no row is missed.
 */
const LONGEST_WRITE = 10_000;
const PAGE = 1000;
const DAYS_BACK = 30 * 86_400_000;
/** Milliseconds between two reads of all leads. Only such a read shows that a lead was blocked or erased. */
const RELOAD_EVERY = 5 * 60_000;

export interface Feed {
  /** Leads in the order of urgency. */
  readonly leads: readonly Lead[];
  /** Time of the last successful read, by the clock of this computer. */
  readonly readAt: number | undefined;
  readonly isFresh: boolean;
}

const NOTHING: Feed = { leads: [], readAt: undefined, isFresh: true };

export const feed = createStore<Feed>(NOTHING);

/** Loaded leads by their id. The index is made once for each list, because some dialogs look up hundreds of leads. */
const indexes = new WeakMap<readonly Lead[], ReadonlyMap<string | null, Lead>>();

export function leadById(id: string | null): Lead | undefined {
  const { leads } = feed.read();
  if (!indexes.has(leads)) indexes.set(leads, new Map(leads.map((lead) => [lead.quote_id, lead])));
  return indexes.get(leads)!.get(id);
}

/**
 * Adds new leads and replaces older versions of known leads. Returns the new leads. `listed`: versions in the feed
 * before all leads were read. If the server now has a lower version of a lead, the server was restored from a backup,
 * and the lower version is used.
 */
function mergeLeads(read: readonly Lead[], listed?: ReadonlyMap<string, number>): readonly Lead[] {
  const byId = new Map(feed.read().leads.map((lead) => [lead.quote_id, lead]));
  const news = read.filter(({ quote_id, version }) => {
    const has = byId.get(quote_id)?.version ?? 0;
    return version > has || (version < has && has === listed?.get(quote_id));
  });
  if (news.length === 0) return [];
  const unknown = news.filter(({ quote_id }) => !byId.has(quote_id));
  for (const lead of news) byId.set(lead.quote_id, lead);
  feed.set({ ...feed.read(), leads: [...byId.values()].toSorted(byUrgency) });
  return unknown;
}

function unlistLead(id: string): void {
  feed.set({ ...feed.read(), leads: feed.read().leads.filter(({ quote_id }) => quote_id !== id) });
}

const leadsOf = () => backend.from('desk_leads').select('*');

/** Reads one lead again; undefined if it is blocked or erased. */
export async function readLead(id: string): Promise<Lead | undefined> {
  const [lead] = await rows(leadsOf().eq('quote_id', id), readLeadRow);
  if (lead) mergeLeads([lead]);
  else unlistLead(id);
  return lead;
}

/** Ids of leads that stay in the feed regardless of age and status. */
const extraIds = new Set<string>();

/**
 * Adds a lead of any age to the feed, which otherwise has only open and recent leads. The lead stays until the desk
 * closes.
 */
export function listLead(lead: Lead): void {
  extraIds.add(lead.quote_id);
  if (!leadById(lead.quote_id)) mergeLeads([lead]);
}

/** Reads a lead of any age and adds it to the feed; undefined if it is blocked or erased. */
export async function fetchLead(id: string): Promise<Lead | undefined> {
  extraIds.add(id);
  return leadById(id) ?? readLead(id).catch(() => undefined);
}

/** Searches leads of any age, newest first, without adding them to the feed. */
export async function searchLeads(typed: string): Promise<readonly Lead[]> {
  const folio = readFolio(typed);
  const named = folio
    ? await rows(leadsOf().eq('folio', folio).order('created_at', { ascending: false }), readLeadRow)
    : [];
  // A text that looks like a folio may also be a name, so the search by text follows if no folio matches.
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
    extraIds.add(lead.quote_id);
    mergeLeads([lead]);
  }
  return lead;
}

/**
 * Length of the longest page so far. The server limits the rows of each page, so a page shorter than the longest is the
 * last one.
 */
const longest = createStore(0);

function isLast({ length }: readonly unknown[]): boolean {
  const isShort = length === 0 || length < longest.read();
  longest.set(Math.max(longest.read(), length));
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

/** Reads the leads received since a time, with any status. */
export function readSince(since: number): Promise<readonly Lead[]> {
  const read = () => leadsOf().gte('created_at', new Date(since).toISOString()).order('created_at').order('quote_id');
  return allOf(pagesOf((from, to) => rows(read().range(from, to), readLeadRow)));
}

export function readAlerts(): Promise<readonly AlertRow[]> {
  const since = new Date(serverNow() - DAYS_BACK).toISOString();
  const read = () => backend.from('desk_alerts').select('sent_at,shown_at,taken_at').gte('sent_at', since);
  return allOf(pagesOf((from, to) => rows(read().order('sent_at').order('quote_id').range(from, to), readAlertRow)));
}

/** Reads when the server's task that sends alerts last ran; null if it never ran. */
export async function readSender(): Promise<string | null | undefined> {
  const [sender] = await rows(backend.from('alert_sender').select('ran_at'), readSenderRow);
  return sender?.ran_at;
}

function openOnes(): AsyncGenerator<readonly Lead[]> {
  const read = () => leadsOf().is('open', true).order('asked_at').order('quote_id');
  return pagesOf((from, to) => rows(read().range(from, to), readLeadRow));
}

/**
 * Reads leads by time of change. Each page starts at the time of the last row of the previous page, so that a lead that
 * changes between two reads is not missed.
 */
async function* changesSince(start: number): AsyncGenerator<readonly Lead[]> {
  // All rows of a page may have the same time, so the next page starts at that time again. The offset skips the rows
  // that were read already.
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

/** Reads the changed leads every four seconds while the page is visible, and at once when the person returns to it. */
export function pollLeads(onRead: () => void, onNewLeads: (leads: readonly Lead[]) => void): () => void {
  let cursor = 0;
  let reloadedAt = 0;
  let readAt: number | undefined;
  let timer: ReturnType<typeof setTimeout>;
  let polling = false;
  let stopped = false;

  function reportNew(unknown: readonly Lead[]): void {
    const came = unknown.filter(({ status, open, entregada }) => open && status === 'nueva' && !entregada);
    if (came.length > 0) onNewLeads(came);
  }

  async function readAllLeads(): Promise<void> {
    const began = Date.now();
    // The longest page is measured again, because a restarted server may allow fewer rows in a page.
    longest.set(0);
    const isFirst = reloadedAt === 0;
    const listed = new Map(feed.read().leads.map(({ quote_id, version }) => [quote_id, version]));
    const readIds = new Set<string>();
    const take = (page: readonly Lead[]) => {
      if (stopped) return;
      const unknown = mergeLeads(page, listed);
      // The first read announces no new leads, because every lead is new to this page.
      if (!isFirst) reportNew(unknown);
      for (const { quote_id, updated_at } of page) {
        readIds.add(quote_id);
        cursor = Math.max(cursor, Date.parse(updated_at));
      }
    };
    for await (const page of openOnes()) take(page);
    if (stopped) return;
    for await (const page of changesSince(serverNow() - DAYS_BACK)) take(page);
    const extra = [...extraIds].filter((id) => !readIds.has(id)).slice(-100);
    if (extra.length > 0) take(await rows(leadsOf().in('quote_id', extra), readLeadRow));
    if (stopped) return;
    const { leads } = feed.read();
    // Leads that the server no longer returns are removed. A lead that was added during this read stays, because the
    // pages may have been read before it came.
    const left = leads.filter(({ quote_id }) => readIds.has(quote_id) || !listed.has(quote_id));
    // Without any lead, the next read asks for the changes from now on.
    cursor ||= serverNow();
    if (left.length < leads.length) feed.set({ ...feed.read(), leads: left });
    reloadedAt = began;
  }

  async function readChanges(): Promise<void> {
    for await (const page of changesSince(cursor - LONGEST_WRITE)) {
      if (stopped) return;
      reportNew(mergeLeads(page));
      for (const { updated_at } of page) cursor = Math.max(cursor, Date.parse(updated_at));
    }
  }

  async function poll(): Promise<void> {
    if (polling || stopped) return;
    clearTimeout(timer);
    polling = true;
    const began = Date.now();
    try {
      await (reloadedAt === 0 || began - reloadedAt > RELOAD_EVERY ? readAllLeads() : readChanges());
      if (stopped) return;
      readAt = Date.now();
      // Sets the store only if something changed, because each set renders the desk.
      if (!feed.read().isFresh || feed.read().readAt === undefined) feed.set({ ...feed.read(), readAt, isFresh: true });
      onRead();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (!stopped) markStale();
    } finally {
      polling = false;
      if (!stopped) timer = setTimeout(() => void poll(), Math.max(0, began + pause() - Date.now()));
    }
  }

  function pollIfVisible(): void {
    if (document.visibilityState === 'visible') void poll();
  }

  const pause = () => (document.visibilityState === 'visible' ? EVERY : EVERY_IN_BACKGROUND);

  function markStale(): void {
    feed.set({ ...feed.read(), readAt, isFresh: false });
  }

  document.addEventListener('visibilitychange', pollIfVisible);
  addEventListener('focus', pollIfVisible);
  addEventListener('online', pollIfVisible);
  addEventListener('offline', markStale);
  pollIfVisible();
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', pollIfVisible);
    removeEventListener('focus', pollIfVisible);
    removeEventListener('online', pollIfVisible);
    removeEventListener('offline', markStale);
    extraIds.clear();
    feed.set(NOTHING);
  };
}
