import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { advisoriesOf } from '../../build/node-advisories.mjs';
import { nodeHealth, nodeWarning } from '../../server/node-version.ts';

test.each([
  ['24.21.0', 11, '24.22.3'],
  ['24.22.1', 5, '24.22.3'],
  ['24.22.3', 0, '24.22.3'],
  ['25.9.0', 10, '26.13.1'],
  ['26.10.0', 12, '26.13.1'],
  ['26.13.1', 0, '26.13.1'],
  ['27.0.0', 0, '27.0.0'],
])('Node %s has %i known vulnerabilities, and %s has none', (version, count, safe) => {
  const { found } = advisoriesOf(version);
  expect([found.length, advisoriesOf(version).safe]).toEqual([count, safe]);
  expect(advisoriesOf(safe).found).toEqual([]);
});

test('the warning about an old Node names its vulnerabilities and the version to install', () => {
  expect(nodeWarning('24.22.2')?.en).toMatch(
    /^WARNING: Node 24\.22\.2 has 5 known vulnerabilities \(CVE-2026-123864, .*; list of \d{4}-\d\d-\d\d\)\. Install Node 24\.22\.3 or newer: docs\/operar\.md, "Un Node más nuevo"\.$/,
  );
  expect(readFileSync('docs/operar.md', 'utf8')).toMatch(/^## \d\. Un Node más nuevo$/m);
  expect(nodeWarning('24.22.3')).toBeUndefined();
  expect(nodeHealth('24.22.3')).toMatchObject({ version: '24.22.3', vulnerabilities: [] });
});

test('the Docker image and the workflows use a Node without known vulnerabilities', () => {
  const texts = ['Dockerfile', '.github/workflows/test.yml', '.github/workflows/release.yml']
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const versions = [...texts.matchAll(/(?:=node:|node-version: |NODE: )([\d.]+)/g)].map(([, version]) => version!);
  expect(versions).toHaveLength(6);
  for (const version of versions) expect(advisoriesOf(version).found, version).toEqual([]);
});

const LINK = 'node_modules/.bin/node';
const PACKAGE = `node-${process.platform}-${process.arch}`;
const PROGRAM = `node_modules/${PACKAGE}/bin/node`;

/** Makes a folder like the sources or an unpacked release, in which the pinned Node may be a symbolic link. */
function folderWith({ installed, linked = false }: { installed: string; linked?: boolean }): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'aeropuente-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const place = (file: string) => path.join(folder, file);
  for (const file of ['runtime', path.dirname(LINK), path.dirname(installed)])
    mkdirSync(place(file), { recursive: true });
  writeFileSync(place('runtime/package.json'), JSON.stringify({ optionalDependencies: { [PACKAGE]: '24.21.0' } }));
  writeFileSync(place(installed), '');
  if (linked) symlinkSync(`../${PACKAGE}/bin/node`, place(LINK));
  return folder;
}

/**
 * Returns the Node that npm’s scripts use if npm runs on `version`: the link’s target, `own` without a link, or an
 * error.
 */
function chosenFor(folder: string, version: string, npmRunsOn = ''): string {
  const script = path.resolve('build/pinned-node.mjs');
  const agent = `npm/11.19.1 node/v${version} linux x64 workspaces/false`;
  const env = { ...process.env, npm_node_execpath: npmRunsOn, npm_config_user_agent: agent };
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) return stderr;
  try {
    return readlinkSync(path.join(folder, LINK));
  } catch {
    return 'own';
  }
}

test.each([
  ['in the sources', PROGRAM, `../${PACKAGE}/bin/node`, true],
  ['in a release', `runtime/${PROGRAM}`, `../../runtime/${PROGRAM}`, false],
])('npm’s scripts %s use the machine’s Node only when as good as the pinned Node', (_, installed, pinned, linked) => {
  const folder = folderWith({ installed, linked });
  for (const worse of ['20.20.2', '24.2.0', '18.20.8']) expect(chosenFor(folder, worse)).toBe(pinned);
  for (const good of ['24.22.3', '24.22.1', '26.10.0']) expect(chosenFor(folder, good)).toBe('own');
});

test('npm’s scripts run on the pinned Node if that Node also started npm', () => {
  const folder = folderWith({ installed: PROGRAM, linked: true });
  expect(chosenFor(folder, '24.21.0', path.join(folder, PROGRAM))).toBe(`../${PACKAGE}/bin/node`);
});

test('npm’s scripts use the machine’s Node if npm has no package of Node for the machine', () => {
  const folder = folderWith({ installed: 'runtime/none' });
  writeFileSync(path.join(folder, 'runtime/package.json'), JSON.stringify({ optionalDependencies: {} }));
  expect(chosenFor(folder, '24.22.0')).toBe('own');
  expect(chosenFor(folder, '20.20.2')).toContain(`npm has none for this machine (${PACKAGE}); this one is 20.20.2.`);
});
