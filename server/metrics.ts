import { statfs } from 'node:fs/promises';
import { isKey } from './alerts/keys.ts';
import type { Outcome } from './alerts/message.ts';
import type { BackupState } from './database/backups.ts';
import type { Database } from './database/database.ts';
import { answerOnce } from './answer-once.ts';
import { bearerOf } from './rest/identity.ts';
import { asResponse, Refusal } from './rest/refusal.ts';

export const METRICS = {
  aeropuente_database_up: ['gauge', '1 while the database answers'],
  aeropuente_open_leads: ['gauge', 'leads that wait for an answer'],
  aeropuente_oldest_open_lead_seconds: ['gauge', 'waiting time of the oldest of them; 0 if there is none'],
  aeropuente_leads_due_soon: ['gauge', 'of them, those due within 30 minutes'],
  aeropuente_leads_late: ['gauge', 'of them, those past their time'],
  aeropuente_staff_here: ['gauge', 'members of the sales team who are present'],
  aeropuente_staff_reached: ['gauge', 'of them, those whom an alert would reach'],
  aeropuente_alerts_looked_seconds: ['gauge', 'time since the last look for due alerts'],
  aeropuente_inserts_total: ['counter', 'quotes that this process acknowledged, repeated ones too'],
  aeropuente_refusals_total: ['counter', 'requests that this process refused, by the code of the answer'],
  aeropuente_request_seconds: ['summary', 'duration of inserts and pages in the last ten minutes'],
  aeropuente_waiting_requests: ['gauge', 'requests that wait for the database in this process'],
  aeropuente_alerts_total: ['counter', 'attempts of this process to send an alert, by outcome'],
  aeropuente_backup_age_seconds: ['gauge', 'age of the newest complete backup in BACKUP_DIR'],
  aeropuente_disk_free_bytes: ['gauge', 'free bytes on the disk of DATA_DIR'],
  process_resident_memory_bytes: ['gauge', 'memory of this process'],
} as const;
type Name = keyof typeof METRICS;

/** Counters of one process, of bounded size and without personal data. */
export interface Meter {
  request(what: {
    readonly isInsert: boolean;
    readonly status: number;
    readonly code: string | undefined;
    readonly ms: number;
  }): void;
  page(ms: number): void;
  alert(outcome: Outcome['kind']): void;
  lines(now?: number): string[];
}

const MOST_CODES = 60;

export function createMeter(): Meter {
  let inserts = 0;
  const refusals = new Map<string, number>();
  const alerts: Record<Outcome['kind'], number> = {
    sent: 0,
    again: 0,
    failed: 0,
    gone: 0,
    unsure: 0,
    template: 0,
    rest: 0,
  };
  const durations = { insert: createDurations(), page: createDurations() };
  return {
    request({ isInsert, status, code, ms }) {
      if (status >= 400) {
        const known = code ?? String(status);
        const counted = refusals.has(known) || refusals.size < MOST_CODES ? known : 'other';
        refusals.set(counted, (refusals.get(counted) ?? 0) + 1);
      } else if (isInsert) {
        inserts += 1;
        durations.insert.add(ms);
      }
    },
    page: (ms) => durations.page.add(ms),
    alert: (outcome) => void (alerts[outcome] += 1),
    lines: (now) => [
      ...one('aeropuente_inserts_total', inserts),
      ...family(
        'aeropuente_refusals_total',
        [...refusals].map(([code, count]) => [`{code="${code}"}`, count]),
      ),
      ...family(
        'aeropuente_alerts_total',
        Object.entries(alerts).map(([outcome, count]) => [`{outcome="${outcome}"}`, count]),
      ),
      ...family(
        'aeropuente_request_seconds',
        Object.entries(durations).flatMap(([kind, taken]) => taken.summary(kind, now)),
      ),
    ],
  };
}

const REMEMBERED = 1024;
const WITHIN = 10 * 60_000;

type Sample = readonly [suffix: string, value: number];

/** Durations of the last requests, in arrays of fixed size. */
function createDurations() {
  const taken = new Float64Array(REMEMBERED);
  const at = new Float64Array(REMEMBERED).fill(-Infinity);
  let count = 0;
  let sum = 0;
  return {
    add(ms: number, now = performance.now()) {
      taken[count % REMEMBERED] = ms;
      at[count % REMEMBERED] = now;
      count += 1;
      sum += ms;
    },
    summary(kind: string, now = performance.now()): Sample[] {
      const recent = taken.filter((_, place) => at[place]! > now - WITHIN).toSorted();
      const quantile = (part: number) => recent[Math.ceil(part * recent.length) - 1] ?? Number.NaN;
      return [
        ...[0.5, 0.95].map((part): Sample => [`{kind="${kind}",quantile="${part}"}`, quantile(part) / 1000]),
        [`_sum{kind="${kind}"}`, sum / 1000],
        [`_count{kind="${kind}"}`, count],
      ];
    },
  };
}

/** Writes a metric in Prometheus's text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
function family(name: Name, samples: readonly Sample[]): string[] {
  const [type, help] = METRICS[name];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples.map(([suffix, value]) => `${name}${suffix} ${value}`),
  ];
}

const one = (name: Name, value: number): string[] => family(name, [['', value]]);

/** Query for the metrics about leads. Blocked leads are not counted. */
const FIGURES = `
  select count(*)::int as open,
         (count(*) filter (where asked_at + promise < now()))::int as late,
         (count(*) filter (where asked_at + promise between now() and now() + interval '30 minutes'))::int as soon,
         coalesce(extract(epoch from now() - min(asked_at)), 0)::float8 as oldest,
         (select count(*)::int from public.desk_reach where here) as here,
         (select count(*)::int from public.desk_reach where here and devices > 0) as reached,
         (select extract(epoch from now() - ran_at)::float8 from public.alert_sender) as looked
  from public.quote_desk where open and blocked_at is null`;

interface Figures {
  readonly open: number;
  readonly late: number;
  readonly soon: number;
  readonly oldest: number;
  readonly here: number;
  readonly reached: number;
  readonly looked: number | null;
}

interface Sources {
  readonly token: string | undefined;
  readonly meter: Meter;
  readonly database: Pick<Database, 'transaction'>;
  readonly waiting: () => number;
  readonly backup: () => BackupState | undefined;
  readonly folder: string;
}

/** Answers `GET /metrics` for callers with the token. Without METRICS_TOKEN the path does not exist. */
export function createMetrics({ token, meter, database, waiting, backup, folder }: Sources) {
  const figures = answerOnce(() =>
    database.transaction<Figures>([{ sql: FIGURES, parameters: [] }], { access: 'read' }).then(
      ([row]) => row,
      () => undefined,
    ),
  );
  return async ({ method, headers }: Request): Promise<Response> => {
    if (!token || method !== 'GET') return asResponse(new Refusal(404, '404', 'There is nothing here'));
    if (!(await isKey(bearerOf(headers) ?? null, token)))
      return asResponse(
        new Refusal(401, '401', 'METRICS_TOKEN is required', { headers: { 'www-authenticate': 'Bearer' } }),
      );
    const found = await figures();
    const backedUp = backup()?.at;
    const disk = await statfs(folder).catch(() => undefined);
    const lines = [
      ...one('aeropuente_database_up', found ? 1 : 0),
      ...(found
        ? [
            ...one('aeropuente_open_leads', found.open),
            ...one('aeropuente_oldest_open_lead_seconds', found.oldest),
            ...one('aeropuente_leads_due_soon', found.soon),
            ...one('aeropuente_leads_late', found.late),
            ...one('aeropuente_staff_here', found.here),
            ...one('aeropuente_staff_reached', found.reached),
            ...(found.looked === null ? [] : one('aeropuente_alerts_looked_seconds', found.looked)),
          ]
        : []),
      ...meter.lines(),
      ...one('aeropuente_waiting_requests', waiting()),
      ...(backedUp ? one('aeropuente_backup_age_seconds', (Date.now() - Date.parse(backedUp)) / 1000) : []),
      ...(disk ? one('aeropuente_disk_free_bytes', disk.bavail * disk.bsize) : []),
      ...one('process_resident_memory_bytes', process.memoryUsage.rss()),
    ];
    return new Response(`${lines.join('\n')}\n`, {
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' },
    });
  };
}
