import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import {
  SETTINGS,
  settingsFile,
  UNIT_OF_PACKAGE,
  unitFile,
  USER,
  type Installation,
} from '../../server/service/files.ts';
import { readLock } from './bill-of-materials.ts';

// Packages of a release for machines without npm or network: an archive that contains packages and Node for one
// architecture, and a Debian package of the same.

/** Debian's names of architectures, by Node's. */
const DEBIAN = { x64: 'amd64', arm64: 'arm64' } as const;
export type Architecture = keyof typeof DEBIAN;
export const isArchitecture = (name: string): name is Architecture => name in DEBIAN;

const FOLDER = '/usr/lib/aeropuente';

interface PackageOptions {
  readonly archive: string;
  readonly into: string;
  readonly version: string;
  readonly arch: Architecture;
  /** Folder with Node's archive and SHASUMS256.txt of nodejs.org. If undefined, Node comes from its npm package. */
  readonly nodeFrom: string | undefined;
  readonly company: { readonly name: string; readonly email: string };
}

export function makePackages(options: PackageOptions): string[] {
  const { archive, into, version, arch } = options;
  const scratch = mkdtempSync(path.join(path.resolve(into), 'package-'));
  try {
    const name = `aeropuente-${version}-linux-${arch}`;
    const release = path.join(scratch, name);
    mkdirSync(release);
    run('tar', ['-xzf', archive, '--strip-components=1', '-C', release]);
    run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], release);
    bringNode(release, options, scratch);
    const whole = path.join(into, `${name}.tar.gz`);
    run('tar', [
      '-C',
      scratch,
      '--sort=name',
      '--mtime=@0',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '-czf',
      path.resolve(whole),
      name,
    ]);
    const debian = path.join(into, `aeropuente_${version}_${DEBIAN[arch]}.deb`);
    layOut(path.join(scratch, 'debian'), release, options);
    run('dpkg-deb', ['--root-owner-group', '-Zzstd', '-z3', '--build', path.join(scratch, 'debian'), debian]);
    for (const file of [whole, debian])
      writeFileSync(`${file}.sha256`, `${sum(file, 'sha256', 'hex')}  ${path.basename(file)}\n`);
    return [whole, debian];
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

function bringNode(release: string, { arch, nodeFrom }: PackageOptions, scratch: string): void {
  const unpacked = path.join(scratch, 'node');
  mkdirSync(unpacked);
  const archive = nodeFrom ? nodeOfFolder(nodeFrom, arch) : nodeOfNpm(arch, scratch);
  run('tar', ['-xf', archive, '--strip-components=1', '-C', unpacked]);
  const place = path.join(release, 'node/bin');
  mkdirSync(place, { recursive: true });
  cpSync(path.join(unpacked, 'bin/node'), path.join(place, 'node'));
  chmodSync(path.join(place, 'node'), 0o755);
  cpSync(path.join(unpacked, 'LICENSE'), path.join(release, 'node/LICENSE'));
}

/** Fetches the pinned Node from npm, and compares it with the hash in the lock file. */
function nodeOfNpm(arch: Architecture, scratch: string): string {
  const name = `node-linux-${arch}`;
  const { version, integrity } = readLock(readFileSync('runtime/package-lock.json', 'utf8')).packages[
    `node_modules/${name}`
  ]!;
  run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', scratch]);
  const file = path.join(scratch, `${name}-${version}.tgz`);
  if (`sha512-${sum(file, 'sha512', 'base64')}` !== integrity)
    throw new Error(`${name} does not have the hash of runtime/package-lock.json.`);
  return file;
}

function nodeOfFolder(folder: string, arch: Architecture): string {
  const names = readdirSync(folder).filter((each) => /^node-v[\d.]+-linux-(\w+)\.tar\.xz$/.exec(each)?.[1] === arch);
  const name = names.toSorted((one, other) => one.localeCompare(other, undefined, { numeric: true })).at(-1);
  const sums = path.join(folder, 'SHASUMS256.txt');
  if (!name || !existsSync(sums))
    throw new Error(`${folder} must contain node-v…-linux-${arch}.tar.xz and its SHASUMS256.txt.`);
  const file = path.join(folder, name);
  if (!readFileSync(sums, 'utf8').includes(`${sum(file, 'sha256', 'hex')}  ${name}\n`))
    throw new Error(`${file} does not have the hash of SHASUMS256.txt.`);
  return file;
}

/** Writes the files of the Debian package below a folder. */
function layOut(root: string, release: string, { version, arch, company }: PackageOptions): void {
  const installation: Installation = {
    domain: '',
    folder: FOLDER,
    node: `${FOLDER}/node/bin/node`,
    user: USER,
    dataDir: '/var/lib/aeropuente',
    backupDir: '/var/backups/aeropuente',
    port: 4173,
    memory: '2G',
  };
  const write = (place: string, text: string, mode = 0o644) => {
    const file = path.join(root, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    chmodSync(file, mode);
  };
  cpSync(release, path.join(root, FOLDER), { recursive: true, verbatimSymlinks: true });
  symlinkSync(SETTINGS, path.join(root, FOLDER, '.env'));
  mkdirSync(path.join(root, 'usr/bin'), { recursive: true });
  symlinkSync('../lib/aeropuente/bin/aeropuente', path.join(root, 'usr/bin/aeropuente'));
  write(UNIT_OF_PACKAGE, unitFile(installation));
  write(SETTINGS, settingsFile(installation), 0o640);
  write('DEBIAN/conffiles', `${SETTINGS}\n`);
  write('DEBIAN/control', controlFile({ version, architecture: DEBIAN[arch], ...company }));
  write('DEBIAN/postinst', POSTINST, 0o755);
  write('DEBIAN/prerm', PRERM, 0o755);
  write('DEBIAN/postrm', POSTRM, 0o755);
}

const controlFile = (about: {
  version: string;
  architecture: string;
  name: string;
  email: string;
}) => `Package: aeropuente
Version: ${about.version}
Architecture: ${about.architecture}
Maintainer: ${about.name} <${about.email}>
Section: web
Priority: optional
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), passwd
Recommends: caddy
Description: quote requests for air cargo, and the desk that answers them
 The site, its server and database, with the Node that runs them: nothing is fetched.
`;

const POSTINST = `#!/bin/sh
set -e
if [ "$1" = configure ]; then ${FOLDER}/bin/aeropuente install --package; fi
`;
const PRERM = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl stop aeropuente || true; fi
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then systemctl disable aeropuente || true; fi
`;
/**
 * Script that runs after the Debian package was removed. Data and backups belong to the company, so even a purge keeps
 * them.
 */
const POSTRM = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = purge ]; then
  rm -f /etc/caddy/aeropuente.caddy
  echo 'Quotes and backups stay: /var/lib/aeropuente, /var/backups/aeropuente' >&2
fi
`;

function run(command: string, parameters: readonly string[], cwd = '.'): void {
  const { status, stderr, error } = spawnSync(command, parameters, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')}: ${error?.message ?? stderr}`);
}

const sum = (file: string, kind: 'sha256' | 'sha512', as: 'hex' | 'base64') =>
  createHash(kind).update(readFileSync(file)).digest(as);
