import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { OperatorError } from '../language.ts';
import { syncFolder, unfinishedOf, streamAtomically } from './durable-files.ts';

const BACKUP = /^aeropuente-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)(\d\d)\.tar\.gz$/;
export const BEFORE_UPGRADE = 'before-upgrade-';
export const AFTER_UPGRADE = 'after-upgrade-';
const BESIDE_AN_UPGRADE = new RegExp(`^(${BEFORE_UPGRADE}|${AFTER_UPGRADE}).*\\.tar\\.gz$`);
const DUMP = /^aeropuente-.*\.dump$/;
/** Retained backups: the newest of each of the last 7 days, 4 weeks and 12 months that have a backup. */
const RETAINED: readonly (readonly [spans: number, of: (day: Date) => string])[] = [
  [7, (day) => day.toISOString().slice(0, 10)],
  // Weeks begin on Monday, so 3 days are added: 1970-01-01 was a Thursday.
  [4, (day) => String(Math.floor((day.getTime() / 86_400_000 + 3) / 7))],
  [12, (day) => day.toISOString().slice(0, 7)],
];
/**
 * Longest life of a backup in milliseconds. Receipts for persons whose data were erased state this time
 * (server/cli/personas.ts).
 */
const LONGEST_LIFE = 366 * 86_400_000;
/**
 * Number of backups of the last year that must exist before older ones are deleted: if the clock is wrong, all backups
 * may look old.
 */
const LEAST_RECENT = 3;

function madeAt(file: string): Date | undefined {
  const [, day, hour, minute, second] = BACKUP.exec(file) ?? [];
  return day ? new Date(`${day}T${hour}:${minute}:${second}Z`) : undefined;
}

/** Returns the times of the backups that should be deleted, from the times of all backups. */
export function superfluous(moments: readonly Date[], now: Date): Date[] {
  const newestFirst = moments.toSorted((one, other) => other.getTime() - one.getTime());
  const retained = new Set<Date>();
  const isOld = (moment: Date) => now.getTime() - moment.getTime() > LONGEST_LIFE;
  const deletesByAge = newestFirst.filter((moment) => !isOld(moment)).length >= LEAST_RECENT;
  for (const [spans, of] of RETAINED) {
    const newest = new Map<string, Date>();
    for (const moment of newestFirst) if (!newest.has(of(moment))) newest.set(of(moment), moment);
    for (const moment of [...newest.values()].slice(0, spans)) retained.add(moment);
  }
  return newestFirst.filter((moment) => !retained.has(moment) || (deletesByAge && isOld(moment)));
}

/** Writes a backup into an existing folder, then deletes superfluous ones. Resolves with the path of the new backup. */
export async function addBackup(
  folder: string,
  archive: AsyncIterable<Uint8Array>,
  now: Date,
  signal?: AbortSignal,
): Promise<string> {
  requireFolder(folder);
  const file = path.join(folder, nameOf(now));
  clearUnfinishedBackups(folder, 'remove');
  await streamAtomically(file, archive, signal);
  for (const moment of superfluous(timesIn(folder), now)) rmSync(path.join(folder, nameOf(moment)), { force: true });
  deleteOldUpgradeBackups(folder, now);
  syncFolder(folder);
  return file;
}

/** Deletes backups from before and after upgrades once they are a year old. */
export function deleteOldUpgradeBackups(folder: string, now = new Date()): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    if (BESIDE_AN_UPGRADE.test(name) && now.getTime() - writtenAt(path.join(folder, name)) > LONGEST_LIFE)
      rmSync(path.join(folder, name), { force: true });
  }
}

/**
 * Empties or removes the backups that a kill or a power cut left unfinished. An emptied file stays, because its name
 * tells the next start when the interrupted backup began. The caller has locked the data directory, so no backup is
 * being written.
 */
export function clearUnfinishedBackups(folder: string, how: 'empty' | 'remove' = 'empty'): void {
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

export interface UpgradeFolder {
  readonly folder: string;
  /**
   * True if the operator chose the folder. A chosen folder is not created if it is missing, because its disk may not be
   * mounted.
   */
  readonly isChosen: boolean;
}

interface Places {
  readonly dataDir: string;
  readonly backups?: BackupSettings | undefined;
}

export const upgradeFolderOf = ({ dataDir, backups }: Places): UpgradeFolder =>
  backups ? { folder: backups.folder, isChosen: true } : { folder: path.join(dataDir, 'backups'), isChosen: false };

/**
 * Writes the backup that is made before an upgrade, or before the undoing of an upgrade. Of the former only the newest
 * is retained, because undoing an upgrade restores that one. The rules for deleting daily backups do not apply.
 */
export async function addUpgradeBackup(
  { folder, isChosen }: UpgradeFolder,
  kind: typeof BEFORE_UPGRADE | typeof AFTER_UPGRADE,
  archive: AsyncIterable<Uint8Array>,
): Promise<string> {
  if (isChosen) requireFolder(folder);
  else mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, `${kind}${stamp(new Date())}.tar.gz`);
  await streamAtomically(file, archive);
  deleteOldUpgradeBackups(folder);
  if (kind === BEFORE_UPGRADE) for (const other of upgradeBackups(folder, kind)) if (other !== file) rmSync(other);
  return file;
}

export function upgradeBackups(folder: string, kind: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(kind) && name.endsWith('.tar.gz'));
  return names.toSorted().map((name) => path.join(folder, name));
}

function requireFolder(folder: string): void {
  if (!existsSync(folder))
    throw new OperatorError({
      es: `la carpeta ${folder} no existe`,
      en: `the folder ${folder} does not exist`,
    });
}

/** Time for a file name, without the colons that Windows refuses. */
export const stamp = (moment: Date) => moment.toISOString().slice(0, 19).replaceAll(':', '');

const nameOf = (moment: Date) => `aeropuente-${stamp(moment)}.tar.gz`;

const timesIn = (folder: string) => namesOfComplete(folder).flatMap((name) => madeAt(name) ?? []);

export function newestBackup(folder: string): { readonly file: string; readonly at: Date } | undefined {
  const moments = existsSync(folder) ? timesIn(folder) : [];
  const at = moments.toSorted((one, other) => other.getTime() - one.getTime())[0];
  return at && { file: path.join(folder, nameOf(at)), at };
}

/** Names of complete files. The folder may contain other entries, such as broken links. */
function namesOfComplete(folder: string): string[] {
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

/** Time of the newest complete backup, and whether the last attempt succeeded. */
export interface BackupState {
  readonly at: string | null;
  readonly ok: boolean;
}

/**
 * Returns the state of the dumps in the backup folder, which the administrator of the operator's own PostgreSQL server
 * makes.
 */
export function dumpState(settings: BackupSettings | undefined, now = Date.now()): BackupState | undefined {
  if (!settings) return undefined;
  const { folder, everyMs } = settings;
  const names = existsSync(folder) ? namesOfComplete(folder).filter((name) => DUMP.test(name)) : [];
  const at = Math.max(-Infinity, ...names.map((name) => writtenAt(path.join(folder, name))));
  return Number.isFinite(at) ? { at: new Date(at).toISOString(), ok: now - at < 2 * everyMs } : { at: null, ok: false };
}

interface Dependencies extends BackupSettings {
  readonly make: () => AsyncIterable<Uint8Array>;
  readonly now?: () => number;
}

const LOOK_EVERY = 60_000;
/** Milliseconds from a failed backup to the next attempt. */
const WAIT_AFTER_FAILURE = 10 * 60_000;
/**
 * Milliseconds to the next attempt if the process ended during a backup, because the backup may have ended the process.
 */
const WAIT_AFTER_CRASH = 60 * 60_000;

/** Makes backups on schedule. Compares times every minute, because a timer stops while the machine sleeps. */
export function scheduleBackups({ folder, everyMs, make, now = Date.now }: Dependencies) {
  let failedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopping = new AbortController();
  /** Returns the newest time in the names of the files. Future times come from a wrong clock and are ignored. */
  const newest = (names: (folder: string) => readonly string[]) => {
    try {
      const moments = names(folder).map((name) => madeAt(name)?.getTime() ?? Infinity);
      return Math.max(-Infinity, ...moments.filter((at) => at <= now()));
    } catch {
      return -Infinity;
    }
  };
  const last = () => newest(namesOfComplete);
  let begunAt = newest((there) => unfinishedIn(there).map(wholeNameOf));
  if (Number.isFinite(begunAt))
    console.error(
      `NO BACKUP was made: AeroPuente ended during the one of ${new Date(begunAt).toISOString()}. The next attempt is an hour after that. If AeroPuente ends again, give it more memory.`,
    );

  async function look(): Promise<void> {
    const isDue =
      now() - last() >= everyMs && now() - failedAt >= WAIT_AFTER_FAILURE && now() - begunAt >= WAIT_AFTER_CRASH;
    if (isDue) {
      try {
        const file = await addBackup(folder, make(), new Date(now()), stopping.signal);
        [failedAt, begunAt] = [-Infinity, -Infinity];
        console.log(`Backup: ${file} contains all quotes.`);
      } catch (error) {
        failedAt = now();
        if (!stopping.signal.aborted)
          console.error(
            `NO BACKUP was made: ${(error as Error).message}. The next attempt is in ten minutes. The quotes are safe.`,
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
