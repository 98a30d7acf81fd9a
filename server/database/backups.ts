import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { syncFolder, writeWhole } from './durable-files.ts';

const BACKUP = /^aeropuente-(\d{4}-\d\d-\d\dT\d{6})\.tar\.gz$/;
const DUMP = /^aeropuente-.*\.dump$/;
/** The newest backup of each of so many days, weeks and months stays. */
const KEPT: readonly (readonly [spans: number, of: (day: Date) => string])[] = [
  [7, (day) => day.toISOString().slice(0, 10)],
  // From Monday to Sunday: the first day of all was a Thursday.
  [4, (day) => String(Math.floor((day.getTime() / 86_400_000 + 3) / 7))],
  [12, (day) => day.toISOString().slice(0, 7)],
];

/** When it was made, by its name. */
function madeAt(file: string): Date | undefined {
  const [, day, hour, minute, second] = /^aeropuente-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)\./.exec(file) ?? [];
  return BACKUP.test(file) ? new Date(`${day}T${hour}:${minute}:${second}Z`) : undefined;
}

/** The backups that nobody needs any more, by their moments. */
export function superfluous(moments: readonly Date[]): Date[] {
  const newestFirst = moments.toSorted((one, other) => other.getTime() - one.getTime());
  const kept = new Set<Date>();
  for (const [spans, of] of KEPT) {
    const newest = new Map<string, Date>();
    for (const moment of newestFirst) if (!newest.has(of(moment))) newest.set(of(moment), moment);
    for (const moment of [...newest.values()].slice(0, spans)) kept.add(moment);
  }
  return newestFirst.filter((moment) => !kept.has(moment));
}

/** On disk when it returns, in a folder that must be there; only then those go that are superfluous. Returns its place. */
export function addBackup(folder: string, bytes: Uint8Array, now: Date): string {
  if (!existsSync(folder)) throw new Error(`the folder ${folder} is not there`);
  const file = path.join(folder, nameOf(now));
  writeWhole(file, bytes);
  for (const moment of superfluous(madeIn(folder))) rmSync(path.join(folder, nameOf(moment)), { force: true });
  syncFolder(folder);
  return file;
}

const nameOf = (moment: Date) => `aeropuente-${moment.toISOString().slice(0, 19).replaceAll(':', '')}.tar.gz`;

function madeIn(folder: string): Date[] {
  const whole = readdirSync(folder).filter((file) => statSync(path.join(folder, file)).size > 0);
  return whole.flatMap((file) => madeAt(file) ?? []);
}

export interface BackupSettings {
  readonly folder: string;
  readonly everyMs: number;
}

/** The moment of the last backup that is whole, and whether the last try made one. */
export interface BackupState {
  readonly at: string | null;
  readonly ok: boolean;
}

/** Of a PostgreSQL of one's own, which somebody else backs up: the newest dump in the folder, by when it was written. */
export function lookForDumps(settings: BackupSettings | undefined, now = Date.now()): BackupState | undefined {
  if (!settings) return undefined;
  const { folder, everyMs } = settings;
  const names = existsSync(folder) ? readdirSync(folder).filter((file) => DUMP.test(file)) : [];
  const files = names.map((file) => statSync(path.join(folder, file))).filter(({ size }) => size > 0);
  const at = Math.max(-Infinity, ...files.map(({ mtimeMs }) => mtimeMs));
  return Number.isFinite(at) ? { at: new Date(at).toISOString(), ok: now - at < 2 * everyMs } : { at: null, ok: false };
}

interface Dependencies extends BackupSettings {
  readonly make: () => Promise<Uint8Array>;
  readonly now?: () => number;
}

const LOOK_EVERY = 60_000;
/** After one that failed. */
const REST = 10 * 60_000;

/** Looks by the clock, from now on, whether one is due: a machine may have slept. */
export function keepBackups({ folder, everyMs, make, now = Date.now }: Dependencies) {
  let failedAt = -Infinity;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const last = () =>
    existsSync(folder) ? Math.max(-Infinity, ...madeIn(folder).map((at) => at.getTime())) : -Infinity;

  async function look(): Promise<void> {
    const isDue = now() - last() >= everyMs && now() - failedAt >= REST;
    if (isDue) {
      try {
        const file = addBackup(folder, await make(), new Date(now()));
        failedAt = -Infinity;
        console.log(`Backup: ${file} has all quotes.`);
      } catch (error) {
        failedAt = now();
        if (!stopped)
          console.error(
            `NO BACKUP was made: ${(error as Error).message}. Trying again in ten minutes; the quotes are kept.`,
          );
      }
    }
    if (!stopped) timer = setTimeout(() => (work = look()), LOOK_EVERY).unref();
  }
  let work = look();
  return {
    state(): BackupState {
      const at = last();
      const isThere = Number.isFinite(at);
      return {
        at: isThere ? new Date(at).toISOString() : null,
        ok: isThere && failedAt === -Infinity && now() - at < 2 * everyMs,
      };
    },
    async stop(): Promise<void> {
      stopped = true;
      clearTimeout(timer);
      await work;
    },
  };
}
