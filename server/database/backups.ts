import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { syncFolder, unfinishedOf, writePiecesWhole } from './durable-files.ts';

const BACKUP = /^aeropuente-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)\.tar\.gz$/;
export const BEFORE_UPGRADE = 'before-upgrade-';
export const AFTER_UPGRADE = 'after-upgrade-';
const BESIDE_AN_UPGRADE = new RegExp(`^(${BEFORE_UPGRADE}|${AFTER_UPGRADE}).*\\.tar\\.gz$`);
const DUMP = /^aeropuente-.*\.dump$/;
/** The newest backup of each of so many days, weeks and months stays. */
const KEPT: readonly (readonly [spans: number, of: (day: Date) => string])[] = [
  [7, (day) => day.toISOString().slice(0, 10)],
  // From Monday to Sunday: the first day of all was a Thursday.
  [4, (day) => String(Math.floor((day.getTime() / 86_400_000 + 3) / 7))],
  [12, (day) => day.toISOString().slice(0, 7)],
];
/** Which is what a person is told who is erased (server/cli/personas.ts). */
const KEPT_AT_MOST = 366 * 86_400_000;
const ENOUGH_OF_A_YEAR = 3;

/** When it was made, by its name. */
function madeAt(file: string): Date | undefined {
  const [, day, hour, minute, second] = BACKUP.exec(file) ?? [];
  return day ? new Date(`${day}T${hour}:${minute}:${second}Z`) : undefined;
}

/** The backups that nobody needs any more, by their moments. */
export function superfluous(moments: readonly Date[], now: Date): Date[] {
  const newestFirst = moments.toSorted((one, other) => other.getTime() - one.getTime());
  const kept = new Set<Date>();
  const isOld = (moment: Date) => now.getTime() - moment.getTime() > KEPT_AT_MOST;
  // A clock that is wrong for an hour must not cost all of them.
  const goesByAge = newestFirst.filter((moment) => !isOld(moment)).length >= ENOUGH_OF_A_YEAR;
  for (const [spans, of] of KEPT) {
    const newest = new Map<string, Date>();
    for (const moment of newestFirst) if (!newest.has(of(moment))) newest.set(of(moment), moment);
    for (const moment of [...newest.values()].slice(0, spans)) kept.add(moment);
  }
  return newestFirst.filter((moment) => !kept.has(moment) || (goesByAge && isOld(moment)));
}

/** Keeps a backup on disk, in a folder that must exist, and only then removes the superfluous ones. Resolves with its place. */
export async function addBackup(
  folder: string,
  archive: AsyncIterable<Uint8Array>,
  now: Date,
  signal?: AbortSignal,
): Promise<string> {
  requireFolder(folder);
  const file = path.join(folder, nameOf(now));
  endUnfinishedBackups(folder, 'remove');
  await writePiecesWhole(file, archive, signal);
  for (const moment of superfluous(madeIn(folder), now)) rmSync(path.join(folder, nameOf(moment)), { force: true });
  endUpgradeBackups(folder, now);
  syncFolder(folder);
  return file;
}

/** What stands beside upgrades goes after a year. */
export function endUpgradeBackups(folder: string, now = new Date()): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (BESIDE_AN_UPGRADE.test(name) && now.getTime() - writtenAt(path.join(folder, name)) > KEPT_AT_MOST)
      rmSync(path.join(folder, name), { force: true });
  }
}

/**
 * Empties the backups that a kill or a power cut left unfinished: their names tell the next start that a backup was begun.
 * Whoever calls this holds the data directory, without which no backup of these names is written, and writes none itself.
 * A command's backup has a name of its operator's, or one without the seconds, and stays.
 */
export function endUnfinishedBackups(folder: string, how: 'empty' | 'remove' = 'empty'): void {
  if (!existsSync(folder)) return;
  for (const unfinished of unfinishedIn(folder)) {
    const place = path.join(folder, unfinished);
    if (how === 'empty' && BACKUP.test(wholeNameOf(unfinished))) truncateSync(place);
    else rmSync(place, { force: true });
  }
}

const UNFINISHED = unfinishedOf('');
const wholeNameOf = (unfinished: string) => unfinished.slice(0, -UNFINISHED.length);

function unfinishedIn(folder: string): string[] {
  const isOurs = (name: string) => BACKUP.test(name) || BESIDE_AN_UPGRADE.test(name);
  return readdirSync(folder).filter((name) => name.endsWith(UNFINISHED) && isOurs(wholeNameOf(name)));
}

/** Where the database goes as it was, beside an upgrade. */
export interface UpgradeFolder {
  readonly folder: string;
  /** By the operator. Then it must be there: it may be a disk that is not mounted. */
  readonly isNamed: boolean;
}

interface Places {
  readonly dataDir: string;
  readonly backups?: BackupSettings | undefined;
}

export const upgradeFolderOf = ({ dataDir, backups }: Places): UpgradeFolder =>
  backups ? { folder: backups.folder, isNamed: true } : { folder: path.join(dataDir, 'backups'), isNamed: false };

/**
 * The database as it was before an upgrade, or before the way back: the rules of the daily backups would let it go the same
 * day. Of the first kind the last one stays, which is where the way back leads; of the second each has what no other has.
 */
export async function addUpgradeBackup(
  { folder, isNamed }: UpgradeFolder,
  kind: typeof BEFORE_UPGRADE | typeof AFTER_UPGRADE,
  archive: AsyncIterable<Uint8Array>,
): Promise<string> {
  if (isNamed) requireFolder(folder);
  else mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${kind}${stamp(new Date())}.tar.gz`);
  await writePiecesWhole(file, archive);
  endUpgradeBackups(folder);
  if (kind === BEFORE_UPGRADE) for (const other of upgradeBackups(folder, kind)) if (other !== file) rmSync(other);
  return file;
}

/** The oldest first. */
export function upgradeBackups(folder: string, kind: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(kind) && name.endsWith('.tar.gz'));
  return names.toSorted().map((name) => path.join(folder, name));
}

function requireFolder(folder: string): void {
  if (!existsSync(folder)) throw new Error(`the folder ${folder} is not there`);
}

/** A moment in the name of a file, where Windows has no colon. */
export const stamp = (moment: Date) => moment.toISOString().slice(0, 19).replaceAll(':', '');

const nameOf = (moment: Date) => `aeropuente-${stamp(moment)}.tar.gz`;

const madeIn = (folder: string) => namesOfWhole(folder).flatMap((name) => madeAt(name) ?? []);

/** The newest backup that makes itself. */
export function newestBackup(folder: string): { readonly file: string; readonly at: Date } | undefined {
  const moments = existsSync(folder) ? madeIn(folder) : [];
  const at = moments.toSorted((one, other) => other.getTime() - one.getTime())[0];
  return at && { file: path.join(folder, nameOf(at)), at };
}

/** Beside the files there may be anything, a link to what is gone too. */
function namesOfWhole(folder: string): string[] {
  const isWhole = (name: string) => {
    const found = statSync(path.join(folder, name), { throwIfNoEntry: false });
    return found !== undefined && found.isFile() && found.size > 0;
  };
  return readdirSync(folder).filter(isWhole);
}

const writtenAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;

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
  const names = existsSync(folder) ? namesOfWhole(folder).filter((name) => DUMP.test(name)) : [];
  const at = Math.max(-Infinity, ...names.map((name) => writtenAt(path.join(folder, name))));
  return Number.isFinite(at) ? { at: new Date(at).toISOString(), ok: now - at < 2 * everyMs } : { at: null, ok: false };
}

interface Dependencies extends BackupSettings {
  readonly make: () => AsyncIterable<Uint8Array>;
  readonly now?: () => number;
}

const LOOK_EVERY = 60_000;
/** Milliseconds after a backup that failed. */
const REST = 10 * 60_000;
/** Milliseconds after the beginning of a backup in which the process ended: the backup may have ended it. */
const REST_AFTER_END = 60 * 60_000;

/** Looks by the clock, from now on, whether one is due: a machine may have slept. */
export function keepBackups({ folder, everyMs, make, now = Date.now }: Dependencies) {
  let failedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopping = new AbortController();
  /** The newest moment in these names; a clock that was wrong may have written moments of the future, which do not count. */
  const newest = (names: (folder: string) => readonly string[]) => {
    try {
      const moments = names(folder).map((name) => madeAt(name)?.getTime() ?? Infinity);
      return Math.max(-Infinity, ...moments.filter((at) => at <= now()));
    } catch {
      return -Infinity;
    }
  };
  const last = () => newest(namesOfWhole);
  let begunAt = newest((there) => unfinishedIn(there).map(wholeNameOf));
  if (Number.isFinite(begunAt))
    console.error(
      `NO BACKUP was made: AeroPuente ended while it made the one of ${new Date(begunAt).toISOString()}. The next try is an hour after that. If AeroPuente ends again, give it more memory.`,
    );

  async function look(): Promise<void> {
    const isDue = now() - last() >= everyMs && now() - failedAt >= REST && now() - begunAt >= REST_AFTER_END;
    if (isDue) {
      try {
        const file = await addBackup(folder, make(), new Date(now()), stopping.signal);
        [failedAt, begunAt] = [-Infinity, -Infinity];
        console.log(`Backup: ${file} has all quotes.`);
      } catch (error) {
        failedAt = now();
        if (!stopping.signal.aborted)
          console.error(
            `NO BACKUP was made: ${(error as Error).message}. Trying again in ten minutes; the quotes are kept.`,
          );
      }
    }
    if (!stopping.signal.aborted) timer = setTimeout(() => (work = look()), LOOK_EVERY).unref();
  }
  let work = look();
  return {
    state(): BackupState {
      const at = last();
      const isThere = Number.isFinite(at);
      const failed = Math.max(failedAt, begunAt) > -Infinity;
      return { at: isThere ? new Date(at).toISOString() : null, ok: isThere && !failed && now() - at < 2 * everyMs };
    },
    async stop(): Promise<void> {
      stopping.abort();
      clearTimeout(timer);
      await work;
    },
  };
}
