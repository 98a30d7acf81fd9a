import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';

/** Milliseconds that at most one in a hundred may take longer. */
const BOUNDS = { inserts: 500, pages: 100 } as const;
/** Seconds: the slowest hundredth of less is one unlucky moment. How many there were in them is no excuse. */
const LONG_ENOUGH = 10;
/** Of all processors, taken by whatever is not ours: above it our times are somebody else's. */
const QUIET = 0.1;

export type Times = { readonly [What in keyof typeof BOUNDS]: readonly number[] };

export interface Verdict {
  readonly isBeyond: boolean;
  readonly says: string;
}

/** `others` is what share of the processors they took, where that is known. */
export function judge(times: Times, { seconds, others }: { seconds: number; others: number | undefined }): Verdict {
  const notJudged = (why: string) => ({ isBeyond: false, says: `not judged: ${why}` });
  const kinds = Object.keys(BOUNDS) as (keyof typeof BOUNDS)[];
  if (seconds < LONG_ENOUGH) return notJudged(`${seconds} s say nothing of a p99, ${LONG_ENOUGH} s would`);
  if (others === undefined) return notJudged('this system does not say how busy others keep it');
  const share = `others took ${Math.round(others * 100)} % of the processors`;
  if (others > QUIET) return notJudged(`${share}, and the machine is quiet up to ${QUIET * 100} %`);
  const beyond = kinds.filter((kind) => !(percentile(times[kind], 0.99) <= BOUNDS[kind]));
  if (beyond.length === 0) return { isBeyond: false, says: `within its bounds; ${share}` };
  const named = beyond.map((kind) => `${kind} p99 at most ${BOUNDS[kind]} ms`);
  return { isBeyond: true, says: `BEYOND ITS BOUNDS: ${named.join(', ')}; ${share}` };
}

export function percentile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

/** From now on: the share of all processors that was neither idle nor taken by this process and that one. */
export function watchOthers(pid: number): () => number | undefined {
  const [began, before] = [performance.now(), readProcessors(pid)];
  return () => {
    const after = readProcessors(pid);
    if (!before || !after) return undefined;
    const all = (performance.now() - began) * cpus().length;
    // What a host keeps from a virtual machine is counted nowhere, and so is theirs too.
    return Math.max(0, 1 - (after.idle - before.idle + after.ours - before.ours) / all);
  };
}

/** In milliseconds since they began; undefined where there is no /proc. */
function readProcessors(pid: number): { idle: number; ours: number } | undefined {
  try {
    // https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html, behind the name; all in hundredths of a second.
    const server = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const all = readFileSync('/proc/stat', 'utf8').split(/\s+/, 6).map(Number);
    const { user, system } = process.cpuUsage();
    // Waiting for a disk is idle too: it may well be for us.
    const idle = (all[4]! + all[5]!) * 10;
    return { idle, ours: (server[11]! + server[12]!) * 10 + (user + system) / 1000 };
  } catch {
    return undefined;
  }
}
