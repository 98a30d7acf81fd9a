// Runs after `npm ci` of a release, on whatever Node the machine has: one that is too old to run TypeScript gets the
// pinned one beside it, which npm's scripts then find first.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';

const OLDEST = [24, 2];
const LINK = 'node_modules/.bin/node';
const NODE = 'runtime/node_modules/node';

const [major, minor] = process.versions.node.split('.').map(Number);
const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);

if (!isNewEnough) {
  if (process.platform === 'win32')
    fail(`Node ${OLDEST.join('.')} or newer is needed; this one is ${process.version}.`);
  console.log(
    `This machine has Node ${process.version}; the one that AeroPuente needs is installed beside it (120 MB) …`,
  );
  const parameters = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', parameters, { cwd: 'runtime', stdio: 'inherit' });
  if (status !== 0 || !existsSync(`${NODE}/bin/node`)) fail('Node could not be installed.');
  // Only its program is needed: the same file once more, and headers for compilers, are as large again.
  rmSync(`${NODE}/node_modules`, { recursive: true, force: true });
  mkdirSync('node_modules/.bin', { recursive: true });
  rmSync(LINK, { force: true });
  symlinkSync(`../../${NODE}/bin/node`, LINK);
}

function fail(sentence) {
  console.error(sentence);
  process.exit(1);
}
