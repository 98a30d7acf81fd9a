// Runs before `npm start` and `npm test` on any Node: installs missing packages, here and in the folders given as
// arguments, then chooses the Node for npm's scripts.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

for (const folder of ['.', ...process.argv.slice(2)]) {
  const installed = `${folder}/node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(`${folder}/package-lock.json`).mtimeMs <= statSync(installed).mtimeMs) continue;
  console.log(
    `Installing packages${folder === '.' ? '' : ` of ${folder}/`} (up to half a minute, the first time only) …`,
  );
  const parameters = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  run('npm', parameters, folder, 'The packages could not be installed.');
}
// This import follows the installation, because the module may remove the link to the pinned Node that `npm ci` makes.
await import('./pinned-node.mjs');

function run(command, parameters, cwd, failure) {
  const { status } = spawnSync(command, parameters, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status === 0) return;
  console.error(failure);
  process.exit(1);
}
