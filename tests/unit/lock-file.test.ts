import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly license?: string;
  readonly os?: readonly string[];
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, never>>;
const wanted = read('package.json');
const packages = read('package-lock.json')['packages'] as unknown as Record<string, Locked>;
const locked = Object.entries(packages).flatMap(([place, about]) =>
  place ? { name: place.split('node_modules/').at(-1)!, ...about } : [],
);

/** Builds for other machines that the registry did not have when the lock file was made. */
const WITHOUT_INTEGRITY = {
  '@oxc-parser/binding-* 0.156.0': `
    android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64 linux-arm-gnueabihf
    linux-arm-musleabihf linux-ppc64-gnu linux-riscv64-gnu linux-riscv64-musl linux-s390x-gnu
    openharmony-arm64 win32-arm64-msvc win32-ia32-msvc win32-x64-msvc`,
  '@oxfmt/binding-* 0.78.0': `
    android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64 linux-arm-gnueabihf
    linux-arm-musleabihf linux-arm64-musl linux-ppc64-gnu linux-riscv64-gnu linux-riscv64-musl linux-s390x-gnu
    linux-x64-musl openharmony-arm64 win32-arm64-msvc win32-ia32-msvc win32-x64-msvc`,
  '@oxlint-tsgolint/* 7.0.2007': `
    darwin-arm64 darwin-x64 win32-arm64 win32-x64`,
  '@oxlint/binding-* 1.94.0': `
    android-arm-eabi android-arm64 darwin-arm64 darwin-x64 freebsd-x64 linux-arm-gnueabihf
    linux-arm-musleabihf linux-arm64-musl linux-ppc64-gnu linux-riscv64-gnu linux-riscv64-musl linux-s390x-gnu
    linux-x64-musl openharmony-arm64 win32-arm64-msvc win32-ia32-msvc win32-x64-msvc`,
  '@rollup/rollup-* 4.68.7': `
    android-arm-eabi android-arm64 android-x64 darwin-arm64 darwin-x64 freebsd-arm64 freebsd-x64
    linux-arm-gnueabihf linux-arm-musleabihf linux-arm64-musl linux-loong64-gnu linux-loong64-musl
    linux-ppc64-gnu linux-ppc64-musl linux-riscv64-gnu linux-riscv64-musl linux-s390x-gnu linux-x64-musl
    openbsd-x64 openharmony-arm64 win32-arm64-msvc win32-ia32-msvc win32-x64-gnu win32-x64-msvc`,
};

const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;

describe('package.json', () => {
  test.each(['dependencies', 'devDependencies', 'overrides'])('names exact versions in its %s', (kind) => {
    const ranges = Object.entries(wanted[kind]!).filter(([, version]) => !EXACT.test(version));
    expect(ranges).toEqual([]);
  });

  test.each(['license', 'dependencies', 'devDependencies'])('has the %s from which the lock file was made', (kind) => {
    expect(read('package-lock.json')['packages']!['']![kind]).toEqual(wanted[kind]);
  });
});

describe('the lock file', () => {
  test('holds every package to one version and to its content, but for some builds for other machines', () => {
    expect(locked.length).toBeGreaterThan(700);
    expect(locked.filter(({ version }) => !EXACT.test(version))).toEqual([]);
    const loose = locked.filter(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
    const expected = Object.entries(WITHOUT_INTEGRITY).flatMap(([pattern, machines]) =>
      machines
        .trim()
        .split(/\s+/)
        .map((machine) => pattern.replace('*', machine)),
    );
    expect(loose.map(({ name, version }) => `${name} ${version}`).toSorted()).toEqual(expected.toSorted());
    expect(loose.filter(({ optional, os }) => !optional || !os)).toEqual([]);
  });

  test('gives each package of site and server the licence that docs/licences.md lists', () => {
    const shipped = locked.filter(({ dev, devOptional }) => !dev && !devOptional);
    expect(shipped.length).toBeGreaterThan(30);
    const text = readFileSync('docs/licences.md', 'utf8');
    const listed = [...text.matchAll(/^\| (\S+) \| (`.*`) \|$/gm)].flatMap(([, licence, names]) =>
      [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => `${name} ${licence}`),
    );
    expect(listed.toSorted()).toEqual(
      [...new Set(shipped.map(({ name, license }) => `${name} ${license}`))].toSorted(),
    );
  });

  test('names no registry: each machine asks its own', () => {
    expect(locked.filter(({ resolved }) => resolved)).toEqual([]);
    expect(readFileSync('package-lock.json', 'utf8')).not.toMatch(/"https?:\/\/[^"]*\.tgz"/);
  });
});
