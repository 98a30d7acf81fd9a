// Runs before `npm start` and `npm test` on whatever Node the machine has: installs what is missing.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const installed = 'node_modules/.package-lock.json';
if (!existsSync(installed) || statSync('package-lock.json').mtimeMs > statSync(installed).mtimeMs) {
  console.log('Installing packages (about half a minute, the first time only) …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], 'The packages could not be installed.');
}

function run(command, parameters, failure) {
  const { status } = spawnSync(command, parameters, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status === 0) return;
  console.error(failure);
  process.exit(1);
}
