// Chooses the Node for npm's scripts: the machine's own if it is new enough and has no known vulnerability, otherwise
// the pinned one, to which `node_modules/.bin/node` then links. npm itself may run on any Node. This script runs after
// `npm ci`, and before `npm start` and `npm test` (build/prepare.mjs).
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { advisoriesOf, isAtLeast, OLDEST } from './node-advisories.mjs';

const LINK = 'node_modules/.bin/node';
/** npm package with Node for this machine. The lock file has its hash. */
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const PROGRAM = `node_modules/${PACKAGE}/bin/node${process.platform === 'win32' ? '.exe' : ''}`;
/** Paths of the pinned Node in the sources and in a release. */
const [OF_SOURCES, OF_RELEASE] = [PROGRAM, `runtime/${PROGRAM}`];

// True if npm already runs on the pinned Node, because another npm script started it. The version of npm's Node then
// says nothing about the machine's own Node.
const isChosen = [OF_SOURCES, OF_RELEASE].some((program) => isSameFile(program, process.env.npm_node_execpath));

const own = /\bnode\/v([\d.]+)/.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? process.versions.node;
/** Pinned version; undefined if npm has no package of it for this machine. */
const pinned = JSON.parse(readFileSync('runtime/package.json', 'utf8')).optionalDependencies[PACKAGE];
const isNewEnough = isAtLeast(own, OLDEST);
// If both Nodes have known vulnerabilities, the newer one wins.
const usesOwn = isNewEnough && (!pinned || advisoriesOf(own).found.length === 0 || isAtLeast(own, pinned));

if (isChosen) {
  // The link exists, because npm already runs on the pinned Node.
} else if (process.platform === 'win32') {
  // Windows allows links only with special rights, so no link is made. A folder of the sources needs none, because `npm
  // ci` installs the pinned Node. A release needs a machine whose Node is new enough.
  if (!isNewEnough && !existsSync(OF_SOURCES)) failForAge();
} else {
  const program = existsSync(OF_SOURCES) ? OF_SOURCES : OF_RELEASE;
  if (!usesOwn && !pinned) failForAge();
  if (!usesOwn && !existsSync(program)) install();
  // A correct link stays untouched: another script may be about to use it.
  const wanted = usesOwn ? undefined : path.relative(path.dirname(LINK), program);
  const present = lstatSync(LINK, { throwIfNoEntry: false }) && readlinkSync(LINK);
  if (present !== wanted) rmSync(LINK, { force: true });
  if (wanted && present !== wanted) {
    mkdirSync(path.dirname(LINK), { recursive: true });
    symlinkSync(wanted, LINK);
  }
}

function isSameFile(one, other) {
  return other !== undefined && existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

function install() {
  console.log(`This machine has Node ${own}; the one that AeroPuente brings is installed beside it (120 MB) …`);
  const parameters = ['ci', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', parameters, { cwd: 'runtime', stdio: 'inherit' });
  if (status !== 0 || !existsSync(OF_RELEASE)) fail('Node could not be installed.');
  // Headers for C++ compilers are not needed, and are half as large as the program.
  rmSync(`runtime/node_modules/${PACKAGE}/include`, { recursive: true, force: true });
}

function failForAge() {
  fail(`Node ${OLDEST} or newer is needed, and npm has none for this machine (${PACKAGE}); this one is ${own}.`);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
